"""Which fields hold personal data, decided by hand from the specification: sections 2 and 4 describe each field.

Personal are names of human beings, their logins, e-mail addresses, telephone numbers and their patterns, addresses on
the network and in the street, addresses for messages, free text, and what may hold any of it.
Names of companies, applications, sites, services, offers and models are not, nor are IDs.

Numbers, dates, yes and no, choices and IDs hold no personal data by their type, unless `PERSONAL` names them. Each
other field is in one of the two tables. Nothing here comes from the declaration.
"""

from __future__ import annotations

#: Fields with personal data, by record.
PERSONAL = """
Acceptance: bpAdminLoginEmail
ApiKey: description loginEmail clientMetadata
Application: description appSuperadminComment deployReason
AuditChange: old new
AuditRecord: recordName loginEmail address
BillTo: name street postalCode city
CheckedEntry: csvSource
CliOptions: numberE164
CloudPbx: jid_pbxagent jid_pbxpcg
CloudPbxSettings: customSipHeader_1 customSipHeader_2 installationNumber voiceNumber
CommandReport: report
Company: description street city postalCode state adminEmail supportEmail csEmailList csmEmailList seEmailList
    kamEmailList superadminComment businessData customData companyCallNumber
CreatedBy: loginEmail
DdiNumber: number numberE164 deviceName firstName lastName names jid_im jid_tel
Device: description macAddress shortNumber userDisplayName
DialingRule: regexpMatch regexpReplace description
DirectoryEntry: firstName lastName companyName jobTitle department workPhoneNumbers mobilePhoneNumbers
    otherPhoneNumbers eMail street city postalCode state tags custom1 custom2 ldap_id
Email: email
EmergencyNumber: number description
EntryError: msg value
Exported: data
ExternalTrunk: description callForkingToPstnNumber hybrid_specific_data
ImportReport: displayName label
ImportStatus: displayName label
ImportedEntry: data csvSource
Invoice: createdBy body
LoadBalancerOptions: loadBalancerDescription
LoginPhone: E164 national nationalWithoutPrefix E164WithoutPrefix E164WithNationalPrefix
    E164WithNationalPrefixWithoutPrefix
LoginUrl: challenge loginUrl logoutUrl
LogoutUrl: logoutUrl
ModuleKey: label number
OtherParty: number
OverflowShown: name number userDisplayName
OwnCliOptions: numberE164
PeerAuthentication: username
PhoneNumber: shortNumber number numberE164
PolledLogin: data
Pong: data
ProhibitedNumber: pattern description
PstnDeviceOptions: numberE164
RecordedParty: name number
Recording: fileName
Redirection: location
Registration: fullSipURI publicSourceRegistration
SecondaryDdi: numberE164
ShardKey: phoneNumber owner
SipHeaders: customSipHeader_1 customSipHeader_2
Subscriber: firstName lastName names deviceName shortNumber internalNumber externalNumber voiceMailNumber jid_im
    jid_tel
Subscription: businessAdminComment
TrunkInformation: description
User: loginEmail firstName lastName displayName nickName title jobTitle department jid_im jid_tel state
    createdByAdmin invitedBy authenticationExternalUid userInfo1 userInfo2 tags customData
WelcomeService: externalNumber
"""

#: Fields of texts and of objects without personal data, beside what the records inside them hold.
OTHER = """
About: version description
ApiKey: createdBy
Application: origin appSuperadminStatus ssoAuthenticationRedirectUrl backchannelAuthenticationRedirectUrl
    ssoLogoutRedirectUrl oauthRedirectUris termsOfServiceUrl privacyPoliciesUrl referrers referrals name platform
    subscriptions pushNotificationSettings
AuditChange: field
AuditRecord: changes operation job kind roles
BarringChoice: description
BarringChoices: permissions restrictions
BillTo: country
Catalog: name description offersList
ChargeMetric: number mrr dmrr tcv dtcv
CheckResult: errorReport
CheckedEntry: errors
ClientVersion: name version
CloudPbx: type name status country cloudpbx
CloudPbxSettings: numberingPrefixes numberingPlan customDialingRules shortCodePrefix serviceCodesDialPlan
    callForwardOptions barringOptions bargeOptions emergencyOptions domainName externalTrunkAdditionalInfo
    overflowSubscribersToVoicemail cliOptions peerAuthenticationOptions
Company: name slogan website country timezone supportUrlFAQ userSelfRegisterAllowedDomains externalReference
    externalReference2 bpApplicantNumber selectedThemeCustomers endOfConferenceBehaviorSettings allowedRedirectDomains
    selectedTheme dataLocation bpContractAcceptationInfo subscriptions
CompanyDailyStats: bps companyName subscriptions systems users usages dailyStats
CompanyStats: bps companyName subscriptions systems users usages
CountedUsages: _any _clients _types
CountedUsers: funnel
CountryName: isoAlpha3Code fullname
CreatedBy: bpApplicantNumber
DailyStats: systems users usages
DataLocation: name location country
DdiNumber: country type deviceType
Device: deviceType expansionModules
DeviceModel: vendor model
DeviceType: vendor model
DialingRule: category
DirectoryEntry: country
Email: type
EmergencyNumbers: numbers
EntryError: param
ExpansionModule: keys
ExternalTrunk: name status trunkType loadBalancerOptions
FlatStats: stats
GroupCounter: group
Hours: openhours exceptions
HoursException: periods
ImportReport: csvHeaders report
ImportStatus: csvHeaders
ImportedEntry: status errorDetails
Invoice: accountNumber accountName billTo invoiceNumber amount currency balance creditBalanceAdjustmentAmount status
    invoiceItems invoiceFiles
InvoiceFile: billingPeriod filename filepath
InvoiceFileReference: fileContentType
InvoiceItem: subscriptionName chargeAmount chargeDescription chargeName productName quantity taxAmount unitOfMeasure
    chargeType processingType
InvoiceList: data
LoadBalancerOptions: policy loadBalancerHostName loadBalancerDisplayName
LoggedInApplication: name type state env
LoginAnswer: loggedInUser loggedInApplication
LoginUrl: name backchannelSession issuer discoveryUrl authorizationEndpoint jwksUri
MfaSetting: mfaName
NewRecoveryCode: status
OAuthToken: appName scope
OAuthTokens: token_type scope
Offer: name description technicalDescription businessModel offerReference sapReference billingProductRatePlanName
    billingProductRatePlans billingProductRatePlanCharges groupName businessSpecific bpType bpBusinessType
    bpApplicantNumbers priceChanges chargeModel guardianType allowedCountries
OfficeHours: name officehours
OverflowShown: type
OwnBargeOptions: companyPolicy
OwnCliOptions: companyPolicy
PeerAuthentication: realm
PhoneNumber: country
PlanRange: prefix description
PolledLogin: loggedInUser loggedInApplication
Pong: status
ProhibitedNumbers: patterns
PromoCode: name discountType
Quotation: currency contractedMrr totalContractedValue totalDeltaMrr totalDeltaTcv amount amountWithoutTax taxAmount
    invoiceItems chargeMetrics orderRefusal
QuotationItem: chargeAmount chargeDescription chargeName productName quantity unitOfMeasure
Recording: recordedParty otherParty mime
Registration: user_agent
ServiceCode: code service
ServiceCodes: prefix serviceCodes
ServiceManualMode: name
ShardKey: country
Site: name creationDate
SplashScreen: type
Subscriber: secondaryDDIs overflowToVoicemail barringOptions bargeOptions callForwardOptions cliOptions status
    cloudPbxStatus type deviceType country shardKey
Subscription: offerName offerDescription offerTechnicalDescription offerReference sapReference groupName
    bpBusinessType profileName createdBy promoCode purchaseOrderNumber additionalPurchaseOrderNumber
Template: name
Theme: light dark
TrunkInformation: name status trunkType
Usage: data
UsageGroups: administration resources
UsageSlice: groupCounters
User: loginPhone emails phoneNumbers country language timezone roles adminType companyName profiles mfaSvcAuth
UserProfile: offerName offerDescription offerReference profileName
Verification: data loggedInUser loggedInApplication
Verified: loggedInUser
Welcome: name officehours
WelcomeService: name state secondaryDDIs timezone companyCalendarName manualMode welcomeServicesManualMode
    openHoursOverflow closedHoursOverflow voiceAutoAttendantName welcomeName
"""


def _table(text: str) -> dict[str, frozenset[str]]:
    lines = text.strip().replace("\n    ", " ").splitlines()
    return {record: frozenset(names.split()) for record, _, names in (line.partition(": ") for line in lines)}


def personal() -> dict[str, frozenset[str]]:
    """Record -> its fields with personal data."""
    return _table(PERSONAL)


def other() -> dict[str, frozenset[str]]:
    """Record -> its texts and objects without."""
    return _table(OTHER)
