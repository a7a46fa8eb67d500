"""Who reads which field: the fields of all records, and the roles of those that not every reader of the record gets.

Written from the specification and its completion: sections 2 and 4 name the fields, and who reads a record. Nothing
here comes from the declaration. A new field belongs into `EVERYONE` or, with its readers, into `LIMITED`.
"""

from __future__ import annotations

#: Fields that everyone gets who reads the record, by record.
EVERYONE = """
About: version description
Acceptance: acceptationDate bpAdminId bpAdminLoginEmail
ApiKey: id description isActive scope expirationDate userId loginEmail creationDate lastUpdateDate clientMetadata
    createdBy
Application: description origin ownerId kpi allowSendingSms isSvcClientDefault appSuperadminComment
    appSuperadminStatus ssoAuthenticationRedirectUrl backchannelAuthenticationRedirectUrl ssoLogoutRedirectUrl
    oauthRedirectUris enableOAuthImplicitGrant enableOAuthRefreshTokenRotation enableOAuthAllowSeveralRefreshTokens
    disableOAuthConsentScreen termsOfServiceUrl privacyPoliciesUrl isAllowedToEmbed referrers referrals id name type
    activity state env dateOfCreation dateOfLastTokenWhenRenew dateOfDeploymentRequest dateOfDeployment deployReason
    deployedByUserId isNoIdApplication profileId platform subscriptions pushNotificationSettings
AuditChange: field old new secret
AuditRecord: date action outcome changes count operation job kind recordId recordName companyId roles requestId id
BackchannelSession: id token
BargeOptions: telephonyBasicAttendantBargeIn
BarringChoice: id description
BarringChoices: permissions restrictions
BarringOptions: permissions restrictions
BillTo: name street postalCode city country
CallForwardOptions: externalCallForward
Catalog: id name description isDefault creationDate offersList
ChargeMetric: productRatePlanId productRatePlanChargeId originRatePlanId originalId number mrr dmrr tcv dtcv
CheckResult: okCount errorCount errorReport
CheckedEntry: csvSource errors
CliOptions: policy userCanManageItsCli companyNumberCanBeSelectedByUserAsCli numberE164
ClientVersion: id name version
CloudPbx: id type name latin_name status companyId siteId bpId country pbxId voiceInstanceId creationDate
    statusUpdatedDate blockedDate jid_pbxagent jid_pbxpcg cloudpbx
CloudPbxSettings: language outgoingPrefix numberingPrefix numberingPrefixes numberingDigits numberingDigitsLength
    numberingPlan customDialingRules externalTrunkId routeInternalCallsToPeer shortCodePrefix shortCodeDigits
    serviceCodesDialPlan telephonyLinePolicy monolineIncomingMode callForkingToPstnNumber callForwardOptions
    aaNbOfRepetitions barringOptions bargeOptions customSipHeader_1 customSipHeader_2 sipDeviceTransferMode
    emergencyOptions installationNumber installationNumberId domainName voiceNumber externalTrunkAdditionalInfo
    overflowSubscribersToVoicemail cliOptions peerAuthenticationOptions allowCloudPbxRecording announcementProfile
    optimizedDialing emulatedRingBackTone pbxLdapId aaNbbOfRepetitions
CommandReport: status report
Company: name description slogan website size economicActivityClassification status offerType country street city
    postalCode state timezone adminEmail supportEmail supportUrlFAQ companyContactId csEmailList csmEmailList
    seEmailList kamEmailList visibility visibleBy autoAcceptUserInvitations autoAddToUserNetwork
    userSelfRegisterAllowedDomains externalReference externalReference2 adminCanSetCustomData customData isBP bpType
    bpId bpBusinessType allowPhoneNumbersVisibility ddiReadOnly selectedThemeCustomers
    adminHasRightToUpdateSubscriptions adminAllowedUpdateSubscriptionsOps billingModel currency catalogId
    businessSpecific defaultLicenseGroup defaultOptionsGroups sendPrepaidSubscriptionsNotification
    disableCCareAdminAccess disableCCareAdminAccessCustomers disableCCareAdminAccessResellers isCentrex
    companyCallNumber allowCloudPbxDeviceAccess allowDeviceFirmwareSelection selectedDeviceFirmware
    adminHasTheRightToEnableDeskphoneFailover delegatedCallPushDisable mobilePermanentConnectionMode
    endOfConferenceBehaviorSettings allowCloudPbxRecording cloudPbxRecordingInboundOnly cloudPbxRecordingRetention
    cloudPbxVoicemailToEmail allowedProviderIds allowedRedirectDomains allowTeamsToDesktopSso enableNewVirusScanPolicy
    contentPolicyLifeTime documentGracePeriod avatarShape selectedTheme allowUsersSelectTheme
    allowUsersSelectPublicTheme adminServiceNotificationsLevel supervisionGroupMaxSize supervisionGroupMaxNumber
    supervisionGroupMaxUsers useScreenSharingCustomisation useWebRTCVideoCustomisation useWebRTCAudioCustomisation
    useWebRTCOnlyIfMobileLoggedCustomisation instantMessagesCustomisation userProfileCustomisation
    userTitleNameCustomisation fileStorageCustomisation fileSharingCustomisation phoneMeetingCustomisation
    useDialOutCustomisation useChannelCustomisation useRoomCustomisation overridePresenceCustomisation
    changeTelephonyCustomisation changeSettingsCustomisation recordingConversationCustomisation useGifCustomisation
    fileCopyCustomisation fileTransferCustomisation forbidFileOwnerChangeCustomisation readReceiptsCustomisation
    useSpeakingTimeStatistics eLearningCustomisation eLearningGamificationCustomisation meetingRecordingCustomisation
    useOtherPhoneMode useComputerMode useSoftPhoneMode changeDNDFullScreen autoAcceptExternalApp setDNDAppointment
    ignoreVoipCallInDND useTeamsMode userAvatarCustomisation imPopupDuration canAccessWhatsNew
    canAccessFaqCustomisation canAccessHelpCenterCustomisation canAccessStoreCustomisation canDownloadAppCustomisation
    canUseTestConfigCustomisation canUseSendReportCustomisation canUseTaskCustomisation canSetDNDinTeams
    usePersonalAccessTokens manageCustomizationFile showFirstPhoneCalls canUseTranscriptionCustomisation
    hidePresenceDurationCustomisation canSynchCalendar canCallParticipantPbxNumberCustomisation
    canSetInvisiblePresenceCustomisation receivedFileCustomisation allowUsingFilesTooBigToVirusScan
    alertNotificationReception alertNotificationSending id creationDate statusUpdatedDate lastAvatarUpdateDate
    lastBannerUpdateDate organisationId dataLocation selectedAppCustomisationTemplate bpContractAcceptationInfo
CompanyDailyStats: id companyId scope bps companies companyName subscriptions systems users usages lastDataCollectDate
    dailyStats
CompanyStats: id companyId scope bps companies companyName subscriptions systems users usages lastDataCollectDate
CountedSubscriptions: enterpriseMax businessMax
CountedSystems: oxe oxo dailyConnected
CountedUsages: activeUser _any _clients _types
CountedUsers: funnel total dailyConnected weeklyConnected monthlyConnected newUser registered activeUsers
CountryName: isoAlpha3Code fullname
CreatedBy: bpApplicantNumber loginEmail userId
DailyStats: date systems users usages
DataLocation: name location country
DdiNumber: id number numberE164 country systemId externalTrunkId type deviceType deviceName isFromSystem isMonitored
    isCloudPbxDDI isCloudPbxDefault userId firstName lastName names ivrId isAssignedAsSecondaryCloudPbxDDI
    secondaryDdiOrder creationDate jid_im jid_tel
Device: id description macAddress deviceType companyId systemId phoneNumberId userId shortNumber userDisplayName
    currentDevice expansionModules
DeviceModel: id vendor model family expansionModules
DeviceType: id vendor model
DialingRule: regexpMatch regexpReplace description category
DirectoryEntry: firstName lastName companyName jobTitle department workPhoneNumbers mobilePhoneNumbers
    otherPhoneNumbers eMail street city postalCode state country tags custom1 custom2 id companyId userId type ldap_id
    creationDate lastUpdateDate
Email: email type
EmergencyNumber: number description
EmergencyNumbers: callAuthorizationWithSoftPhone emergencyGroupActivated numbers
EmergencyOptions: callAuthorizationWithSoftPhone emergencyGroupActivated
Enrolment: mfaType mfaSecret otpAuthUrl qrcode
EntryError: param msg value
ExpansionModule: type keys
Exported: data
ExternalTrunk: id name description status trunkType bpIds voiceInstanceId callForkingToPstnNumber locked
    loadBalancerOptions hybrid_specific_data
FlatStats: _id stats
GroupCounter: group count
Hours: openhours exceptions
HoursException: year month mday periods open
ImportReport: companyId userId displayName label csvHeaders startTime state created updated deleted failed report
ImportStatus: companyId userId displayName label csvHeaders startTime state created updated deleted failed
ImportedEntry: status data errorDetailsCode errorDetails csvSource
Invoice: id accountId accountNumber accountName billTo invoiceDate invoiceNumber dueDate invoiceTargetDate amount
    currency balance creditBalanceAdjustmentAmount createdBy status body invoiceItems invoiceFiles
InvoiceFile: companyId billingPeriod invoiceType filename filepath invoiceCreationDate
InvoiceFileReference: id versionNumber fileContentType
InvoiceItem: id subscriptionName subscriptionId serviceStartDate serviceEndDate chargeAmount chargeDescription
    chargeName chargeId productName quantity taxAmount unitOfMeasure chargeDate chargeType processingType
InvoiceList: data total
Known: data
LoadBalancerOptions: loadBalancerId policy loadBalancerHostName loadBalancerDisplayName loadBalancerDescription
LoggedInApplication: id name type state env
LoginAnswer: token mfaRequired loggedInUser loggedInApplication
LoginPhone: isValidated E164 national nationalWithoutPrefix E164WithoutPrefix E164WithNationalPrefix
    E164WithNationalPrefixWithoutPrefix
LoginUrl: type name clientId challenge onlyUseImplicitFlow useWebView useBackchannel backchannelSession loginUrl
    logoutUrl issuer discoveryUrl authorizationEndpoint jwksUri
LogoutUrl: useWebView logoutUrl
ManualMode: mode startDate endDate
MfaSetting: enabledForAllCompanyUsers mfaName mfaType mfaPolicy rememberDaysApplication mfaCanBeDisabled mfaId
ModuleKey: position label number
NewRecoveryCode: status mfaRecoveryCode
OAuthToken: id appId appName userId scope creationDate accessTokenIssuedAt accessTokenExpiresAt refreshTokenIssuedAt
    refreshTokenExpiresAt
OAuthTokens: access_token expires_in token_type refresh_token scope
Offer: id name description technicalDescription profileId isDefault canBeSold businessModel isExclusive isPrepaid
    prepaidDuration autoSubscribe offerReference sapReference billingOfferId billingProductRatePlanId
    billingProductRatePlanName billingProductRatePlanChargeId billingProductRatePlans billingProductRatePlanCharges
    billingAutoSynchro creationDate groupName businessSpecific isCapex isCpaas hasConference isBundle bpType
    isSvcStoreOffer isDemo isChinaOffer hasVoice bpBusinessType bpApplicantNumbers isArchived priceChanges
    isVoicePhone isMonthly isAppConnect isAsset isEdge chargeModel isHidden guardianType isCompanyLevel isFreemium
    hasWebinar allowedCountries
OfficeHours: id systemId name officehours
OtherParty: number
Overflow: value unavailableOverflow noReplyDelay activate
OverflowShown: type destinationId name number toVoicemail userDisplayName userId
OwnBargeOptions: telephonyBasicAttendantBargeIn companyPolicy
OwnBarring: permissions restrictions
OwnCallForward: externalCallForward
OwnCliOptions: policy userCanManageItsCli companyNumberCanBeSelectedByUserAsCli numberE164 companyPolicy
PeerAuthentication: username realm
PhoneNumber: shortNumber pbxId systemId country number numberE164 phoneNumberId isMonitored isFromSystem deviceType
    type isVisibleByOthers
PlanRange: prefix digits description
PolledLogin: data token mfaRequired loggedInUser loggedInApplication
Pong: status data
ProhibitedNumber: pattern description
ProhibitedNumbers: patterns
PromoCode: name bsSubscriptionId billingProductRatePlanId billingProductRatePlanChargeId discountEndDate discountType
PstnDeviceOptions: policy numberE164
Quotation: currency contractedMrr totalContractedValue totalDeltaMrr totalDeltaTcv amount amountWithoutTax taxAmount
    invoiceTargetDate invoiceItems chargeMetrics expirationDate orderRefusal
QuotationItem: serviceStartDate serviceEndDate chargeAmount chargeDescription chargeName productName
    productRatePlanChargeId quantity unitOfMeasure
RecordedParty: userId groupId phoneNumberId name number
Recording: id date duration direction recordedParty otherParty fileName mime size systemId
RecordingChoice: recordingProfile
Redirection: location
Registration: id fullSipURI expirationDate user_agent deviceId phoneNumberId systemId publicSourceRegistration
SecondaryDdi: phoneNumberId numberE164
ServiceCode: code service
ServiceCodes: prefix digits serviceCodes
ServiceManualMode: mode startDate endDate id name
ShardKey: country phoneNumber owner
SipHeaders: customSipHeader_1 customSipHeader_2
Site: id name status companyId creationDate
SplashScreen: companyId uploadedUsed lastUpdateDate inherited forced type width height
Subscriber: id userId firstName lastName names deviceName shortNumber internalNumber externalNumber externalNumberId
    secondaryDDIs voiceMailNumber overflowToVoicemail barringOptions bargeOptions callForwardOptions cliOptions
    isRecordingActivated recordingProfile status cloudPbxStatus type deviceType isFromSystem isMonitored pbxId
    pbxUserId systemId country creationDate shardKey jid_im jid_tel
Subscription: id companyId offerId offerName offerDescription offerTechnicalDescription offerReference sapReference
    groupName businessModel bpBusinessType profileId profileName isDefault isExclusive status syncOngoing creationDate
    createdBy maxNumberUsers numberAssignedUsers nbBPLicences nbAssignedBPUsers nbLicencesAssignedToECs nbLicencesUsed
    nbFreeLicences expirationDate monthlyDuration prepaidDuration paymentPeriod autoRenew autoRenewOneTime
    autoRenewToMonthly renewalTerm renewalTermOption promoCode purchaseOrderNumber additionalPurchaseOrderNumber
    businessAdminComment applicationId billingOfferId billingProductRatePlanId billingProductRatePlanChargeId
    bsSubscriptionId billingSubscriptionId
Template: useScreenSharingCustomisation useWebRTCVideoCustomisation useWebRTCAudioCustomisation
    useWebRTCOnlyIfMobileLoggedCustomisation instantMessagesCustomisation userProfileCustomisation
    userTitleNameCustomisation fileStorageCustomisation fileSharingCustomisation phoneMeetingCustomisation
    useDialOutCustomisation useChannelCustomisation useRoomCustomisation overridePresenceCustomisation
    changeTelephonyCustomisation changeSettingsCustomisation recordingConversationCustomisation useGifCustomisation
    fileCopyCustomisation fileTransferCustomisation forbidFileOwnerChangeCustomisation readReceiptsCustomisation
    useSpeakingTimeStatistics eLearningCustomisation eLearningGamificationCustomisation meetingRecordingCustomisation
    useOtherPhoneMode useComputerMode useSoftPhoneMode changeDNDFullScreen autoAcceptExternalApp setDNDAppointment
    ignoreVoipCallInDND useTeamsMode userAvatarCustomisation imPopupDuration canAccessWhatsNew
    canAccessFaqCustomisation canAccessHelpCenterCustomisation canAccessStoreCustomisation canDownloadAppCustomisation
    canUseTestConfigCustomisation canUseSendReportCustomisation canUseTaskCustomisation canSetDNDinTeams
    usePersonalAccessTokens manageCustomizationFile showFirstPhoneCalls canUseTranscriptionCustomisation
    hidePresenceDurationCustomisation canSynchCalendar canCallParticipantPbxNumberCustomisation
    canSetInvisiblePresenceCustomisation receivedFileCustomisation allowUsingFilesTooBigToVirusScan
    alertNotificationReception alertNotificationSending id name visibility type createdBy creationDate ownedByCompany
Theme: light dark
TrunkInformation: id name status description trunkType locked
Usage: data aggregationPeriod
UsageGroups: administration resources
UsageSlice: groupCounters aggregationStartDate
User: id loginEmail loginPhone firstName lastName displayName nickName title jobTitle department emails phoneNumbers
    country language timezone jid_im jid_tel roles adminType companyId companyName isInDefaultCompany organisationId
    siteId visibility isActive isInitialized isTerminated state timeToLive accountType guestMode initializationDate
    activationDate creationDate lastUpdateDate lastAvatarUpdateDate firstLoginDate lastLoginDate loggedSince
    lastSeenDate createdBySelfRegister createdByAdmin invitedBy authenticationType authenticationExternalUid userInfo1
    userInfo2 tags profiles mfaSvcAuth customData useScreenSharingCustomisation useWebRTCVideoCustomisation
    useWebRTCAudioCustomisation useWebRTCOnlyIfMobileLoggedCustomisation instantMessagesCustomisation
    userProfileCustomisation userTitleNameCustomisation fileStorageCustomisation fileSharingCustomisation
    phoneMeetingCustomisation useDialOutCustomisation useChannelCustomisation useRoomCustomisation
    overridePresenceCustomisation changeTelephonyCustomisation changeSettingsCustomisation
    recordingConversationCustomisation useGifCustomisation fileCopyCustomisation fileTransferCustomisation
    forbidFileOwnerChangeCustomisation readReceiptsCustomisation useSpeakingTimeStatistics eLearningCustomisation
    eLearningGamificationCustomisation meetingRecordingCustomisation useOtherPhoneMode useComputerMode useSoftPhoneMode
    changeDNDFullScreen autoAcceptExternalApp setDNDAppointment ignoreVoipCallInDND useTeamsMode
    userAvatarCustomisation imPopupDuration canAccessWhatsNew canAccessFaqCustomisation
    canAccessHelpCenterCustomisation canAccessStoreCustomisation canDownloadAppCustomisation
    canUseTestConfigCustomisation canUseSendReportCustomisation canUseTaskCustomisation canSetDNDinTeams
    usePersonalAccessTokens manageCustomizationFile showFirstPhoneCalls canUseTranscriptionCustomisation
    hidePresenceDurationCustomisation canSynchCalendar canCallParticipantPbxNumberCustomisation
    canSetInvisiblePresenceCustomisation receivedFileCustomisation allowUsingFilesTooBigToVirusScan
    alertNotificationReception alertNotificationSending
UserProfile: subscriptionId offerId offerName offerDescription offerReference profileId profileName status isDefault
    isExclusive canBeSold businessModel isPrepaid prepaidDuration hasConference assignationDate
Valid: status
Verification: data token mfaRequired loggedInUser loggedInApplication
Verified: mfaType mfaRecoveryCode token loggedInUser
VoicemailOverflow: activate noReplyDelay activateUnavailableOverflow
Welcome: id systemId name officehours
WelcomeService: id systemId name state phoneNumberId externalNumber externalNumberId secondaryDDIs timezone
    companyCalendarId companyCalendarName manualMode welcomeServicesManualMode openHoursOverflow closedHoursOverflow
    voiceAutoAttendantId voiceAutoAttendantName welcomeId welcomeName isDefaultIvr
"""

#: Record, its fields, who reads them as `roles: reach`, and after a bar the only operations that return them.
#:
#: - "Full = all fields (for an admin without broader role, the fields … are left out)" (4.4): administrators of a
#:   partner are broader for the companies that they manage. `numberUsers`: "when the caller reads its own company or
#:   one it manages".
#: - Notes about a company are read by those who read the company as administrators (4.4).
#: - Secrets of an application: its developers, the platform's administrators, and colleagues who are developers (4.5).
#: - Why a login fails: "administrators who may read a user, and the roles support, business_admin and
#:   customer_success_admin".
#: - Messaging passwords (2.14, 2.15): "Updates: superadmin, bp_admin (end customers), organization_admin, company_admin
#:   (own)" (4.7), in reads of one record. A user's own one is in the answer to a login (2.4).
LIMITED = """
ApiKey | apiKey | | create_api_key
Application | appSecret | superadmin app_superadmin: any; app_admin: own own_company |
AuditRecord | userId loginEmail userCompanyId applicationId address |
    superadmin: any; bp_admin: own_company end_customers; organization_admin: organisation; company_admin: own_company |
CloudPbx | jid_pbxagent_password jid_pbxpcg_password |
    superadmin: any; bp_admin: end_customers; organization_admin: organisation; company_admin: own_company |
    get_cloudpbx
Company | salesforceAccountId superadminComment businessData |
    superadmin support business_admin customer_success_admin sales_analytics: any;
    bp_admin bp_finance: own_company end_customers resellers; organization_admin: own_company organisation own_bp;
    company_admin site_admin: own_company own_bp; telephony_cpaas: own_company |
Company | subscriptions bsCompanyId billingCompanyId bpBusinessModel bpApplicantNumber bpCRDid bpIsContractAccepted
    bpHasRightToSell bpHasRightToConnect bpHasRightForBYOT preferredSipLoadBalancerId |
    superadmin support business_admin customer_success_admin sales_analytics: any;
    bp_admin bp_finance: own_company end_customers resellers |
Company | numberUsers |
    superadmin: any; bp_admin bp_finance: own_company end_customers resellers;
    organization_admin: own_company organisation;
    support business_admin customer_success_admin sales_analytics company_admin site_admin directory_admin: own_company;
    app_admin app_superadmin app_support telephony_cpaas user: own_company |
DdiNumber | jid_password |
    superadmin: any; bp_admin: end_customers; organization_admin: organisation; company_admin: own_company |
    get_ddi_number
PeerAuthentication | password | | -
Recording | companyId callId | | list_recordings_across_companies
Subscriber | jid_password |
    superadmin: any; bp_admin: end_customers; organization_admin: organisation; company_admin: own_company |
    get_subscriber
Subscriber | password | | create_subscriber
Template | visibleBy | superadmin support: any; bp_admin company_admin: own_company |
User | lockedUntil failedLogins |
    superadmin support business_admin customer_success_admin: any; bp_admin: own_company end_customers;
    bp_finance: end_customers; organization_admin: organisation; company_admin site_admin: own_company |
User | jid_password | | login renew_token oidc_id_token_login poll_backchannel_session verify_mfa
"""

Limits = dict[tuple[str, str], tuple[dict[str, frozenset[str]] | None, frozenset[str] | None]]


def everyone() -> dict[str, frozenset[str]]:
    """Record -> the fields that everyone gets who reads it."""
    found: dict[str, frozenset[str]] = {}
    for line in EVERYONE.strip().replace("\n    ", " ").splitlines():
        record, _, names = line.partition(": ")
        found[record] = frozenset(names.split())
    return found


def limited() -> Limits:
    """Record and field -> the reach of each role that reads it, and the only operations that return it. None: all."""
    found: Limits = {}
    for line in LIMITED.strip().replace("\n    ", " ").splitlines():
        record, names, readers, only = (part.strip() for part in line.split("|"))
        of: dict[str, frozenset[str]] = {}
        for pair in filter(None, readers.split(";")):
            roles, _, reached = pair.partition(":")
            of |= dict.fromkeys(roles.split(), frozenset(reached.split()))
        operations = None if not only else frozenset(only.split()) - {"-"}
        found |= dict.fromkeys(((record, name) for name in names.split()), (of or None, operations))
    return found
