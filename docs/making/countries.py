"""Generator of the names of countries in five languages, from the CLDR. A test fails if it is outdated."""

from __future__ import annotations

import json

from babel import Locale

from svc_tui.interface.companies.countries import COUNTRIES, LANGUAGES, TABLE, region_of

#: Names besides those of ISO 3166-1 and the CLDR: common, native and former names, and codes of sports.
OTHER_NAMES = {
    "ARE": "uae | vae | eau",
    "BEL": "belgie",
    "BRA": "brasil",
    "CHE": "svizzera | sui",
    "CIV": "ivory coast",
    "CZE": "czech republic | tschechische republik | republique tcheque | republica checa",
    "DEU": "ger | bundesrepublik deutschland",
    "DNK": "danmark",
    "FIN": "suomi",
    "GBR": "uk | great britain | england | scotland | wales | northern ireland | "
    "grossbritannien | grande bretagne | gran bretana | gra bretanha | inglaterra | angleterre",
    "HUN": "magyarorszag",
    "IRL": "republic of ireland",
    "ITA": "italia",
    "KOR": "south korea",
    "LUX": "luxemburgo",
    "MKD": "macedonia",
    "NLD": "holland | holanda | hollande | the netherlands | nederland",
    "NOR": "norge",
    "POL": "polska",
    "PRK": "north korea",
    "PRT": "por",
    "ROU": "romania",
    "RUS": "russia | russian federation",
    "SWE": "sverige",
    "SWZ": "swaziland",
    "TUR": "turkey",
    "USA": "usa | us | united states of america | america | vereinigte staaten von amerika | "
    "etats unis d amerique | estados unidos de america | estados unidos da america | eeuu | eua",
    "VNM": "vietnam",
}


def text() -> str:
    """The table as JSON: three-letter code -> its names, one line for each country."""
    locales = [Locale.parse(language) for language in LANGUAGES]
    lines = []
    for code in sorted(COUNTRIES):
        region = region_of(code) or ""
        names = dict.fromkeys(locale.territories[region] for locale in locales if region in locale.territories)
        names |= dict.fromkeys(OTHER_NAMES[code].split(" | ") if code in OTHER_NAMES else ())
        lines.append(f"{json.dumps(code)}: {json.dumps(list(names), ensure_ascii=False)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    TABLE.write_text(text(), encoding="utf-8")
    print(f"wrote {TABLE.name}")
