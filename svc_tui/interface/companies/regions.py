"""Two-letter codes of ISO 3166-1 by three-letter codes: companies have the latter, numbering plans the former."""

from __future__ import annotations

from svc_tui.interface.companies.countries import COUNTRIES

#: Where the two letters are not simply the first two of the three: three letters, then two.
_OTHERWISE = (
    "ABWAW AGOAO ALAAX ANDAD AREAE ARMAM ATAAQ ATFTF ATGAG AUTAT BDIBI BENBJ BESBQ BGDBD BHSBS BIHBA BLRBY BLZBZ BRBBB "
    "BRNBN CAFCF CHLCL CHNCN CODCD COGCG COKCK COMKM CPVCV CUWCW CYMKY DNKDK ESHEH ESTEE FLKFK FROFO FSMFM GINGN GLPGP "
    "GNBGW GNQGQ GRDGD GRLGL GUFGF GUYGY IRLIE IRQIQ ISRIL JAMJM KAZKZ KORKR LBRLR LBYLY MACMO MAFMF MDGMG MDVMV MEXMX "
    "MLTMT MNEME MNPMP MOZMZ MTQMQ MYTYT NIUNU PAKPK PCNPN PLWPW PNGPG POLPL PRKKP PRTPT PRYPY PYFPF SENSN SGSGS SLBSB "
    "SLVSV SPMPM SRBRS SURSR SVKSK SVNSI SWESE SWZSZ SYCSC TCDTD TKMTM TUNTN TURTR TUVTV UKRUA URYUY WLFWF"
)
_TWO_LETTERS = {
    **{code: code[:2] for code in COUNTRIES},
    **{pair[:3]: pair[3:] for pair in _OTHERWISE.split()},
}


def region_of(country: str | None) -> str | None:
    """The two-letter code of a three-letter code; None for an unknown country."""
    return _TWO_LETTERS.get((country or "").upper())
