"""Word lists for made-up values: invented people, real places, plain things. Data only."""

GIVEN_NAMES = (
    "Amara Bela Carla Dario Elif Farid Greta Hugo Ines Jonas Kaya Lena Mateo Nadia Oskar Priya Quentin "
    "Rosa Samir Tessa Umar Vera Willem Ximena Yusuf Zoe Anouk Bruno Chiara Dmitri Esra Finn Gwen Hana Ivo "
    "Jasmin Kofi Livia Milan Nora"
).split()
FAMILY_NAMES = (
    "Abara Brandt Castellan Dorfmann Eriksen Falk Gruber Hallström Ibarra Jansen Kessler Lindqvist Moreau "
    "Novak Okafor Petrov Quintero Rahimi Sandoval Takeda Ueda Valdez Winther Xu Yilmaz Zeller Aldous "
    "Bianchi Carver Dunmore Ferrand Galloway Hartwell Ingram Jorissen Kowal Lazar Merrick Nyström "
    "Osterman"
).split()
CITIES = (
    ("Lisbon", "PT", "Portugal", "Europe/Lisbon", "Estremadura"),
    ("Vienna", "AT", "Austria", "Europe/Vienna", "Lower Austria"),
    ("Oslo", "NO", "Norway", "Europe/Oslo", "Akershus"),
    ("Ghent", "BE", "Belgium", "Europe/Brussels", "East Flanders"),
    ("Lyon", "FR", "France", "Europe/Paris", "Auvergne"),
    ("Bologna", "IT", "Italy", "Europe/Rome", "Emilia-Romagna"),
    ("Leeds", "GB", "United Kingdom", "Europe/London", "Yorkshire"),
    ("Denver", "US", "United States", "America/Denver", "Colorado"),
    ("Quebec", "CA", "Canada", "America/Toronto", "Quebec"),
    ("Nagoya", "JP", "Japan", "Asia/Tokyo", "Aichi"),
    ("Perth", "AU", "Australia", "Australia/Perth", "Western Australia"),
    ("Utrecht", "NL", "Netherlands", "Europe/Amsterdam", "Utrecht"),
    ("Malmö", "SE", "Sweden", "Europe/Stockholm", "Skåne"),
    ("Kraków", "PL", "Poland", "Europe/Warsaw", "Lesser Poland"),
)
AIRPORTS = "LIS VIE OSL LYS BLQ LBA DEN YQB NGO PER ARN KRK SFO JFK LHR CDG".split()
REGIONS = "Tuscany Bavaria Provence Galicia Saxony Brittany Ontario Yorkshire Lapland Tyrol Colorado Hokkaido".split()
STREETS = (
    "Maple Harbour Station Linden Mill Chapel Orchard River Market Castle Garden Bridge Hill Park Forest"
).split()
ADJECTIVES = (
    "Amber Bright Calm Coastal Crimson Early Emerald Golden Grand Hidden Indigo Ivory Jade Lively Lunar "
    "Modern Northern Open Quiet Rapid Royal Rustic Scarlet Silent Silver Solar Southern Spring Summer "
    "Sunny Velvet Vivid Western Winter"
).split()
NOUNS = (
    "Anchor Atlas Beacon Canyon Cedar Compass Comet Delta Echo Falcon Garden Harbor Horizon Island "
    "Lantern Meadow Mosaic Nexus Orchid Pebble Pioneer Prairie Quartz Raven Ridge River Saffron Summit "
    "Tiger Valley Voyage Willow Zephyr"
).split()
TOPICS = (
    "budget review|team offsite|product launch|client onboarding|quarterly report|website redesign|"
    "inventory check|staff training|supplier contract|annual survey|security audit|holiday schedule|"
    "kitchen renovation|customer feedback|delivery planning|marketing campaign|data migration|office move|"
    "hiring plan|garden project"
).split("|")
SENTENCES = (
    "Please handle this before the end of the week.|Checked and ready for the next step.|"
    "Needs a second look.|Agreed in the last meeting.|Leave at the front desk.|"
    "Call ahead before arriving.|Everything went smoothly.|Waiting for a reply from the supplier.|"
    "Updated after the phone call.|Handle with care.|The first draft is done.|"
    "This replaces the earlier version."
).split("|")
COMPANIES = (
    "Acorn Bluewater Corvus Dunes Evergreen Fernhill Granite Highland Juniper Keystone Larkspur Northwind"
).split()
COMPANY_FORMS = ("Ltd|Group|& Sons|Studio|Partners|Works").split("|")
JOBS = ("engineer designer accountant teacher nurse manager architect chef editor analyst").split()
COLOURS = ("red blue green black white orange purple yellow grey teal").split()
TAGS = ("urgent new indoor family premium seasonal popular sale outdoor organic quiet trial").split()
ANIMALS = (
    "Biscuit Clover Domino Ember Figaro Ginger Hazel Jasper Kiwi Luna Marble Nugget Olive Pepper Rocket Shadow"
).split()
LANGUAGES = (
    ("en", "English"),
    ("de", "German"),
    ("fr", "French"),
    ("es", "Spanish"),
    ("it", "Italian"),
    ("pt", "Portuguese"),
)
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
CURRENCIES = ("EUR USD GBP CHF SEK AUD").split()
