"""Tells whether a name is one of a place where people live: who moves to Postgres changes no home."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from graphmem.text.claims.en import lexicon
from graphmem.text.claims.en.token import Token
from graphmem.text.words import word_set

# Well-known places, from general knowledge; several words are joined with hyphens.
_COUNTRIES: Final = word_set(
    "afghanistan albania algeria andorra angola argentina armenia australia austria azerbaijan bahamas bahrain bangladesh",
    "barbados belarus belgium belize benin bhutan bolivia bosnia botswana brazil brunei bulgaria burundi cambodia cameroon",
    "canada chad chile china colombia congo croatia cuba cyprus czechia denmark ecuador egypt england eritrea estonia",
    "ethiopia fiji finland france gabon gambia georgia germany ghana greece greenland grenada guatemala guinea guyana haiti",
    "honduras hungary iceland india indonesia iran iraq ireland israel italy jamaica japan jordan kazakhstan kenya kosovo",
    "kuwait kyrgyzstan laos latvia lebanon lesotho liberia libya liechtenstein lithuania luxembourg madagascar malawi",
    "malaysia maldives mali malta mauritius mexico moldova monaco mongolia montenegro morocco mozambique myanmar namibia",
    "nepal netherlands nicaragua niger nigeria norway oman pakistan palestine panama paraguay peru philippines poland",
    "portugal qatar romania russia rwanda samoa senegal serbia singapore slovakia slovenia somalia spain sudan suriname",
    "sweden switzerland syria taiwan tajikistan tanzania thailand togo tonga tunisia turkey turkmenistan uganda ukraine",
    "uruguay usa uk uae us u.s u.k america britain scotland wales uzbekistan vanuatu venezuela vietnam yemen zambia zimbabwe",
    "europe asia africa scandinavia bavaria catalonia tuscany brittany normandy sicily sardinia andalusia crete",
    "saxony hesse tyrol flanders wallonia galicia siberia kerala punjab bali sumatra okinawa hokkaido corsica cornwall",
    "devon dorset kent essex sussex surrey norfolk suffolk yorkshire lancashire cumbria",
)
_STATES: Final = word_set(
    "alabama alaska arizona arkansas california colorado connecticut delaware florida hawaii idaho illinois indiana iowa",
    "kansas kentucky louisiana maine maryland massachusetts michigan minnesota mississippi missouri montana nebraska nevada",
    "ohio oklahoma oregon pennsylvania tennessee texas utah vermont virginia washington wisconsin wyoming ontario quebec",
    "manitoba saskatchewan alberta newfoundland queensland victoria tasmania",
)
_CITIES: Final = word_set(
    "aachen aarhus aberdeen abuja accra adelaide agra albany albuquerque aleppo alexandria algiers alicante almaty amman",
    "amsterdam anchorage ankara annapolis antalya antwerp arles arlington asheville athens atlanta auckland augsburg austin",
    "avignon baghdad baku baltimore bangalore bengaluru bangkok barcelona bari basel bath beijing beirut belfast belgrade",
    "bergen berkeley berlin bern bilbao birmingham bochum bogota boise bologna bombay bonn bordeaux boston boulder",
    "bournemouth bradford brasilia bratislava bremen brescia brest brighton brisbane bristol brno bronx brooklyn bruges",
    "brussels bucharest budapest buffalo burlington busan cadiz caen cairo calcutta calgary cambridge canberra cancun cannes",
    "canterbury caracas cardiff carlisle casablanca catania cebu charleston charlotte chelsea chengdu chennai chester chicago",
    "chongqing christchurch cincinnati cleveland cologne colombo columbus copenhagen cordoba cork coventry crawley curitiba",
    "dakar dalian dallas damascus darmstadt darwin dayton delft delhi denver derby detroit dhaka dijon doha dortmund dover",
    "dresden dubai dublin dubrovnik dundee dunedin durban durham dusseldorf düsseldorf edinburgh edmonton eindhoven erfurt",
    "erlangen essen eugene exeter fargo faro ferrara fes florence fort frankfurt freiburg fresno fukuoka galway gdansk geneva",
    "genoa ghent gibraltar glasgow gloucester göttingen goa gothenburg granada graz grenoble groningen guadalajara guangzhou",
    "guayaquil haarlem hague haifa halifax hamburg hamilton hangzhou hannover hanover hanoi harare harbin harrisburg hartford",
    "havana heidelberg helsinki hiroshima hobart honolulu houston hull hyderabad ibiza indianapolis innsbruck inverness",
    "ipswich islamabad istanbul izmir jacksonville jaipur jakarta jeddah jena jerusalem johannesburg kabul kampala karachi",
    "karlsruhe kassel kathmandu katowice kaunas kazan kiel kiev kyiv kigali kingston knoxville kobe kochi kolkata köln krakow",
    "kraków kunming kyoto lagos lahore lancaster lausanne leeds leicester leiden leipzig lexington lhasa lille lima limerick",
    "limoges lincoln lisbon liverpool ljubljana lodz london louisville luanda lucerne lucknow lund lusaka lviv lyon lyons",
    "maastricht macau madison madrid mainz malaga málaga malmo malmö manchester manhattan manila mannheim maputo marrakech",
    "marseille marseilles mecca medellin medina melbourne memphis mesa metz miami milan milwaukee minneapolis minsk mombasa",
    "monterrey montevideo montpellier montreal montréal moscow mumbai munich munster münster nagasaki nagoya nairobi nanjing",
    "nantes naples nashville newark newcastle newport nice nicosia norwich nottingham novosibirsk nuremberg oakland odense",
    "odessa odesa omaha oporto orlando orleans osaka oslo ottawa oulu oxford padua palermo palma paris pasadena perth",
    "peterborough philadelphia phoenix phuket pisa pittsburgh plymouth portland porto portsmouth potsdam prague preston",
    "pretoria princeton providence pune pyongyang queens quito rabat raleigh reading reims rennes reno reykjavik richmond riga",
    "rio riyadh rochester rome rosario rostock rotterdam rouen sacramento salamanca salem salford salzburg samarkand santander",
    "santiago sapporo sarajevo savannah scottsdale seattle segovia seoul seville shanghai sheffield shenyang shenzhen siena",
    "skopje sofia southampton split spokane stavanger stirling stockholm strasbourg stuttgart sunderland surat suzhou swansea",
    "sydney syracuse taichung taipei tallinn tampa tampere tangier taormina tashkent tbilisi tehran tianjin tijuana tirana",
    "tokyo toledo toronto toulon toulouse trento trieste trondheim tromso tucson tulsa tunis turin turku ulm uppsala utrecht",
    "valencia valladolid valletta vancouver venice verona vienna vilnius vladivostok warsaw weimar wellington wichita",
    "wiesbaden winchester windsor winnipeg wolfsburg worcester wroclaw wuhan wuppertal würzburg xiamen xian yangon yerevan",
    "yokohama york zagreb zaragoza zhengzhou zurich zürich jinan qingdao ningbo hefei changsha shantou dongguan foshan kaohsiung",
)
_PLACES: Final = _COUNTRIES | _STATES | _CITIES
# What a name of several words begins with: New York, San Diego, North Carolina, St. Louis.
_HEADS: Final = word_set(
    "san santa los las el la st saint sao são north south east west fort port puerto cape mount lake costa hong kuala ho buenos",
    "tel abu addis kansas sri el rio baton united",
)
_NEW: Final = word_set(
    "york jersey mexico orleans delhi zealand haven hampshire england plymouth brunswick caledonia castle westminster"
)
_ENDINGS: Final = re.compile(
    r"[a-z]{2,}(?:burgh?|borough|ville|ford|shire|stan|polis|heim|dorf|stadt|hausen|bury|grad|pur|abad|mouth|haven|wick|cester|chester|minster)"
)
_HOMES: Final = word_set(
    "flat apartment house home city town village suburb suburbs studio condo neighbourhood neighborhood country downtown rent"
)


# What may follow a place without making it something else: not London time, Jordan's team.
_BEHIND: Final = (
    lexicon.PREPOSITIONS
    | lexicon.ADVERBS
    | lexicon.OCCASION
    | lexicon.SUBORDINATORS
    | lexicon.DETERMINERS
    | lexicon.WEEKDAYS
    | lexicon.POSSESSIVE
    | lexicon.MONTHS
    | _COUNTRIES
    | _STATES
    | _HOMES
    | word_set("and but so or who where which several few many in area")
)


def is_place(rest: Sequence[Token]) -> bool:
    """Whether a name of a place opens these words, as far as is known; a country behind it says so, too."""
    if not rest or not rest[0].is_capital:
        return False
    first = rest[0].low
    name = [token for token in rest[:4] if token.is_capital]
    return (
        (first in _PLACES and _ends(rest[1:]))
        or (first == "new" and len(rest) > 1 and rest[1].low in _NEW)
        or (first in _HEADS and len(rest) > 1 and (rest[1].is_capital or rest[1].is_mark))
        or _ENDINGS.fullmatch(first) is not None
        or any(token.low in _COUNTRIES | _STATES for token in name[1:])
        or not _HOMES.isdisjoint(token.low for token in rest)
    )


def _ends(behind: Sequence[Token]) -> bool:
    """Whether a name ends before these words."""
    return not behind or behind[0].low in _BEHIND or behind[0].low[0].isdigit()
