"""Vocabulary of résumés: words by which roles, organisations, schools, degrees, places and contracts are known."""

from __future__ import annotations

import re

_ROLE_WORDS = frozenset(
    """accountant actuary administrator adviser advisor advocate agent agronomist aide analyst anaesthetist apprentice
    archaeologist archivist architect artist assistant associate attendant attorney auditor author baker banker barista
    barrister bartender biologist bookkeeper botanist broker builder buyer captain caregiver caretaker carer carpenter
    cashier chair chef chemist chief cleaner clerk clinician coach co-founder cofounder collaborator columnist
    commissioner conductor consultant contractor contributor controller cook coordinator co-ordinator copywriter counsel
    counsellor counselor courier craftsman crew curator custodian dba dentist deputy designer developer director
    dispatcher doctor draughtsman driver ecologist economist editor educator electrician engineer entrepreneur
    epidemiologist estimator evangelist examiner executive expert fabricator facilitator farmer fellow filmmaker
    firefighter fitter florist foreman founder freelancer fundraiser gardener generalist geneticist geologist geographer
    geschäftsführer graduate groundskeeper guard guide hairdresser handyman head herder historian host hostess
    housekeeper hygienist illustrator inspector installer instructor intern internee internship interpreter investigator
    ingenieur ingénieur ingénieure consultante assistante analyste chargé chargée chef technicien technicienne specialista impiegato addetto operaio insegnante infermiere analista consulente tecnico técnico enfermero docente asistente journalist judge keeper labourer laborer lawyer lead leader lecturer librarian lifeguard linguist
    locksmith machinist manager marketer marketeer mathematician mechanic mechatroniker mediator member mentor
    merchandiser meteorologist microbiologist midwife miner moderator modeller musician nanny negotiator neurologist nurse
    nutritionist observer officer operative operator optician optometrist organiser organizer orderly owner painter
    paralegal paramedic partner pathologist pharmacist pharmacologist photographer physician physicist physiotherapist
    picker packer pilot planner plasterer plumber police porter postdoc postdoctoral practitioner president principal
    producer professor programmer promoter proofreader prosecutor provider psychiatrist psychologist psychotherapist
    radiographer radiologist realtor receptionist recruiter registrar reporter representative researcher
    resident roofer sailor salesperson salesman saleswoman scholar scientist seamstress secretary sergeant server
    servant shepherd sociologist soldier solicitor specialist sre statistician stagiaire steward stewardess stocker storekeeper
    strategist student superintendent supervisor surgeon surveyor sysadmin tailor teacher technician technologist
    teller tester therapist toolmaker trader trainee trainer translator treasurer tutor typist underwriter
    undergraduate usher vet veterinarian videographer volunteer waiter waitress warden welder worker writer werkstudent
    werkstudentin entwickler entwicklerin leiter leiterin sachbearbeiter referent praktikant praktikantin mitarbeiter
    mitarbeiterin berater beraterin lehrer lehrerin krankenpfleger techniker auszubildender projektleiter
    développeur développeuse responsable directeur directrice stagiaire chercheur enseignant infirmière infirmier
    desarrollador desarrolladora ingeniero ingeniera profesor becario gerente enfermera sviluppatore ingegnere
    cto ceo cfo coo cio ciso vp svp avp hgv""".split()
)
_GERMAN_ENDINGS = (
    "leiter|entwickler|ingenieur|berater|techniker|arbeiter|pfleger|assistent|verkäufer|lehrer|kauffrau|kaufmann|fachkraft|fachfrau|"
    "fachmann|meister|führer|planer|betreuer|verwalter|händler|prüfer|schwester|fahrer|mechaniker|elektriker|koch|köchin|erzieher|"
    "beauftragter|beauftragte|angestellter|angestellte|vertreter"
)
ROLE = re.compile(
    rf"\b(?:{'|'.join(sorted(_ROLE_WORDS))}|[^\W\d_]{{0,24}}(?:{_GERMAN_ENDINGS})(?:in)?)\b", re.IGNORECASE
)

_LEGAL = (
    r"(?:Inc|INC|Incorporated|Ltd|LTD|Limited|LIMITED|LLC|LLP|L\.L\.C|PLC|plc|GmbH|gGmbH|mbH|AG|KG|KGaA|OHG|UG|Corp|CORP|Corporation|"
    r"Co|S\.?A|S\.?A\.?S|SARL|S\.?r\.?l|S\.?p\.?A|S\.?L|B\.?V|N\.?V|A/S|AS|ASA|ApS|Pty|PTY|Pte|Pvt|PVT|Private|Oy|Oyj|AB|e\.?V|SE|CIC|Sp\. z o\.o|z o\.o|s\.r\.o|"
    r"a\.s|Kft|d\.o\.o|Lda|Ltda|KK|K\.K|Bhd|Sdn)(?![\w])\.?"
)
LEGAL_FORM = re.compile(rf"(?<![\w.]){_LEGAL}")
IS_LEGAL = re.compile(rf"{_LEGAL}(?:\s+(?:& )?{_LEGAL}){{0,3}}", re.IGNORECASE)
ORGANISATION = re.compile(
    r"\b(?:universit(?:y|ies)|institute|institution|college|schools?|bank|group|hospitals?|clinic|council|ministry|"
    r"department|dept|foundation|academy|laborator(?:y|ies)|agency|company|corporation|universität|université|universidad|"
    r"università|universidade|uniwersytet|politechnika|hochschule|klinikum|krankenhaus|insurance|nhs|association|society|charity|"
    r"infirmary|museum|library|theatre|authority|commission|federation|church|parish|kindergarten|airlines?|airways|railways?|"
    r"hotel|restaurant|bistro|brewery|winery|holdings?|enterprises|industries|ventures|stadtwerke|gemeinde|city of|state of|county)\b",
    re.IGNORECASE,
)
WEAK_ORGANISATION = re.compile(
    r"\b(?:labs?|trust|centre|center|studios?|union|nursery|airport|café|farms?|pharmacy|practice|surgery|consulting|consultants|solutions|"
    r"technologies|systems|house|home|housing|energy|bikes|toys|games|foods?|supermarkets?|stores?|services|district|partners|logistics|"
    r"traders|importers|freight|motors|pharma(?:ceuticals)?|press|publishing|media|newspaper|software|digital|analytics|networks|"
    r"robotics|aerospace|biotech|health|healthcare|retail|construction|builders|electronics|semiconductors|telecom|research)$",
    re.IGNORECASE,
)
"""Last words of names of organisations that are words of roles, too."""
PART_OF_ORGANISATION = re.compile(
    r"(?:school|faculty|department|dept|division|institute|laborator(?:y|ies)|lab|centre|center|chair|section|unit|ward|college|campus)\b"
    r"(?=\s(?:of|for|on)\b)|(?:[\w&-]{1,30}\s){1,4}(?:lab|laboratory|department|group|division|unit|ward|school)$",
    re.IGNORECASE,
)
DEPARTMENT_WORDS = frozenset(
    """account accounts administration analytics and application applications architecture assurance banking brand
    business campaign care category cloud commercial communications compliance content control core corporate creative
    credit customer data database databases delivery design development devices digital education embedded emea
    emergency energy engineering enterprise europe events experience facilities field finance financial global growth
    hardware health human information infrastructure innovation insights integration intelligence international internal
    investment it key learning legal logistics maintenance manufacturing marketing media medicine mobile monitoring
    network networks north south east west of oncology online operations paediatrics partnerships payments people
    performance planning platform platforms policy pricing process procurement product production products programs
    programmes project projects public purchasing quality recruitment regional regulatory relations reliability
    research resources retail risk safety sales science search security services service shared site software solutions
    sourcing special strategy success supply mid market midmarket smb enterprise icu ward unit neonatal surgical medical chain support sustainability systems talent tax team technical technology
    testing trading training transformation treasury user web world""".split()
)
_COUNTRIES = (
    "uk|usa|u\\.s\\.a?|us|united kingdom|united states|england|scotland|wales|northern ireland|ireland|germany|deutschland|austria|"
    "switzerland|france|spain|italy|portugal|netherlands|the netherlands|belgium|luxembourg|denmark|norway|sweden|finland|iceland|"
    "poland|czech republic|slovakia|hungary|romania|bulgaria|greece|croatia|slovenia|serbia|ukraine|estonia|latvia|lithuania|russia|"
    "turkey|israel|egypt|morocco|nigeria|ghana|kenya|uganda|tanzania|ethiopia|south africa|india|pakistan|bangladesh|sri lanka|nepal|"
    "china|hong kong|taiwan|japan|south korea|korea|singapore|malaysia|indonesia|thailand|vietnam|philippines|australia|new zealand|"
    "canada|mexico|brazil|argentina|chile|colombia|peru|uae|dubai|saudi arabia|qatar"
)
_CITIES = (
    "london|manchester|birmingham|leeds|bristol|edinburgh|glasgow|cardiff|belfast|dublin|cork|paris|lyon|berlin|hamburg|munich|münchen|"
    "cologne|köln|frankfurt|stuttgart|vienna|wien|zurich|zürich|geneva|amsterdam|rotterdam|brussels|madrid|barcelona|valencia|lisbon|"
    "porto|rome|milan|milano|turin|copenhagen|stockholm|oslo|helsinki|warsaw|kraków|krakow|wrocław|gdańsk|poznań|prague|brno|budapest|"
    "bucharest|sofia|athens|istanbul|tel aviv|cairo|lagos|accra|nairobi|cape town|johannesburg|mumbai|delhi|new delhi|bengaluru|"
    "bangalore|hyderabad|chennai|pune|kolkata|karachi|lahore|dhaka|beijing|shanghai|shenzhen|tokyo|osaka|seoul|taipei|jakarta|"
    "kuala lumpur|bangkok|manila|hanoi|sydney|melbourne|brisbane|perth|auckland|toronto|montreal|montréal|vancouver|ottawa|"
    "new york|new york city|nyc|boston|chicago|seattle|san francisco|los angeles|san diego|austin|dallas|houston|denver|atlanta|miami|"
    "philadelphia|washington|portland|phoenix|minneapolis|detroit|mexico city|são paulo|sao paulo|rio de janeiro|buenos aires|"
    "santiago|bogotá|bogota|lima"
)
_REMOTE = r"(?:fully |partly )?(?:remote(?:ly)?|hybrid|on-?site|home office)"
_REGION = r"[A-ZÀ-Þ][\w.'’-]{1,30}(?:[ -][\w.'’-]{1,30}){0,3}"
KNOWN_PLACE = re.compile(
    rf"(?:(?i:greater )?(?i:{_CITIES})(?i: area| metropolitan area)?(?:,\s{{0,2}}{_REGION}){{0,2}}|(?i:{_COUNTRIES}))"
    rf"(?:\s?[(,/]\s{{0,2}}(?i:{_REMOTE})\)?)?|(?i:{_REMOTE})(?:\s?[(,]\s{{0,2}}[^()]{{1,40}}\)?)?"
)
"""A large city, a country, or a word for working from anywhere."""
PLACE = re.compile(
    rf"(?:{_REGION},\s{{0,2}})?(?:(?i:{_COUNTRIES})|[A-Z]{{2}}(?:\s\d{{4,5}})?)(?:\s?[(,/]\s{{0,2}}(?i:{_REMOTE})\)?)?|{KNOWN_PLACE.pattern}"
)
"""What is written like a place: with its country or state. "Contoso, UK" is, too."""
DURATION = re.compile(
    r"\(?\s?\d{1,2}\+?\s?(?:years?|yrs?|y)(?:,?\s(?:and\s)?\d{1,2}\s?(?:months?|mos?|m))?\s?\)?|\(?\s?\d{1,2}\s?(?:months?|mos?)\s?\)?",
    re.IGNORECASE,
)
"""How long something lasted, beside its dates."""
SELF_EMPLOYED = re.compile(
    r"\b(?:freelance|freelancer|self[- ]employed|independent|own business|freiberuflich|selbstständig)\b", re.IGNORECASE
)
CONTRACT = re.compile(
    r"\b(?:contract(?:or)?|freelance|self-employed|permanent|temporary|temp|fixed[- ]term|part[- ]time|full[- ]time|"
    r"seasonal|zero[- ]hours?|maternity cover|interim|days? (?:a|per|/) ?week|days?/week|day/week|hours? (?:a|per) week|"
    r"\d{1,3} ?%|internship|remote|hybrid|on-?site|teilzeit|vollzeit|befristet|werkvertrag|acting|cdi|cdd)\b",
    re.IGNORECASE,
)
NO_POSITION = re.compile(
    r"\b(?:career break|break|sabbatical|(?:parental|maternity|paternity|family|garden(?:ing)?|sick|medical) leave|language (?:stay|course)|"
    r"gap year|year (?:off|out|abroad)|travel(?:l?ing|led|s)?|world trip|round the world|military service|civil(?:ian)? service|"
    r"national service|elternzeit|auszeit|wehrdienst|zivildienst|weltreise|sprachaufenthalt|caring for|care of (?:a|my)|"
    r"full-time (?:care|parent)|relocation|relocated|job search|looking for work|unemployed|redundancy|retraining|study abroad|"
    r"au pair|working holiday|reise durch)\b",
    re.IGNORECASE,
)
"""Stretches of time in a history that are no positions."""
SCHOOL = re.compile(
    r"\b(?:university|college|school|institute|academy|polytechnic|universität|universidad(?:e)?|université|università|universiteit|"
    r"uniwersytet|politechnika|szkoła|hochschule|hogeschool|fachhochschule|gymnasium|lyceum|conservatory|seminary|eth|mit|tu|lyc[ée]e|"
    r"faculty|realschule|berufsschule|bootcamp|escuela|école|scuola|politecnico|universitat)\b",
    re.IGNORECASE,
)
DEGREE = re.compile(
    r"(?<![\w.])(?:b\.?\s?sc|b\.?s|m\.?s|m\.?\s?sc|b\.?\s?a|m\.?\s?a|b\.?\s?eng|m\.?\s?eng|b\.?\s?tech|m\.?\s?tech|ph\.?\s?d|mba|"
    r"b\.?\s?com|b\.?\s?e|bca|mca|bba|pgce|pgd|"
    r"dipl|diplom|bachelor|master|doctor(?:ate)?|diploma|degree|a[- ]levels?|abitur|matura|magister|licen[cs]e|"
    r"certificate|associate|minor|major|hnd|gcses?|staatsexamen|baccalaur[ée]at|mphil|dphil|llb|llm|md|"
    r"fachabitur|ausbildung|meister|licenciatura|laurea|kcse|ssc|intermediate)(?:['’]s)?(?![^\W\d_])",
    re.IGNORECASE,
)


def names_role(text: str) -> bool:
    """True when a text has a word for what people are."""
    return bool(ROLE.search(text))


def names_degree(text: str) -> bool:
    """True when a text names a school or a degree."""
    return bool(SCHOOL.search(text) or DEGREE.search(text))
