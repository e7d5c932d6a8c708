"""Heading: what a short line announces, in whatever words.

The words of a heading are looked up as phrases, the longest first ("research interests" before "interests"). A line that
nothing marks is a heading when it has such a phrase and otherwise only words that say nothing by themselves ("my",
"selected", "where"); of one that the document marks a single phrase is enough ("Projects I did for the love of it").
"""

from __future__ import annotations

import re
from typing import Literal

SectionKind = Literal[
    "head", "summary", "experience", "projects", "education", "skills", "certificates", "languages", "strengths",
    "weaknesses", "traits", "other", "personal",
]  # fmt: skip
"""What a section is about. Of "other" only skills are read; of "personal", what is about the person and not their work,
nothing."""

_PHRASES: dict[SectionKind, str] = {
    "experience": """experience; experiences; employment; employments; employer; employers; employment record; work history;
        job history; history; career; career history; career path; appointments; positions; positions held; current position; present position; current role; current employment; current job; jobs; work;
        roles; worked; worked at; worked for; worked so far; where i worked; contracts; contract work; assignments;
        engagements; clients; internship; internships; placements; traineeships; professional background; professional
        career; professional activity; professional life; practice; career to date; track record; permanent; permanent
        roles; freelance; freelance work; military service; what i did; done so far; been; i have been; berufserfahrung; berufspraxis;
        berufstätigkeit; berufliche; berufliche tätigkeit; beruflicher; werdegang; praxiserfahrung; praktika;
        expérience; expériences; expérience professionnelle; expériences professionnelles; parcours; experiencia;
        experiencia laboral; experiencia profesional; esperienza; esperienze; esperienze lavorative; werkervaring;
        ervaring; experiência; doświadczenie; doświadczenie zawodowe; shifts; rotations; postings""",
    "education": """education; educational; background; studies; degree; degrees; schooling; school; schools; university;
        academic background; academic qualification; academic qualifications; educational qualification; educational
        qualifications; academic record; academic history; where i studied; studied; what i studied; qualifications and
        education; ausbildung; schulbildung; studium; bildung; bildungsweg; schule; formation; formations; études;
        educación; formación; formación académica; istruzione; formazione; opleiding; opleidingen; educação; wykształcenie; learning""",
    "skills": """skill; skills; skillset; skill set; skills summary; competence; competences; competency; competencies;
        expertise; technology; technologies; tool; tools; tooling; toolbox; toolkit; toolset; tech; tech stack; stack;
        proficiency; proficiencies; qualifications; methods; methodologies; techniques; knowledge; abilities;
        software; capabilities; programming; programming languages; platforms; frameworks; systems; i use; things i use;
        what i use; work with; worked with; work in; i know; know how; what i can do; i can do; what i bring; i bring; i reach for; comfortable with; familiar with; i speak; fluent in; areas of
        expertise; areas; specialties; specialities; specialisms; specialisations; equipment; instruments; instrumentation;
        it; ict; databases; libraries; kenntnisse; edv kenntnisse; it kenntnisse; fähigkeiten; kompetenzen; fachkenntnisse;
        compétences; habilidades; competencias; conocimientos; aptitudes; competenze; capacità; vaardigheden;
        competências; umiejętności; summary of skills; summary of qualifications; keywords""",
    "projects": """project; projects; project work; project details; project experience; project highlights; portfolio; built;
        made; things i built; things i made; what i built; what i made; side work; side project; side projects; open
        source; case studies; selected work; selected works; personal work; hackathons; prototypes; projekte; projets;
        proyectos; progetti; projecten; projetos; projekty; apps; games; creations; inventions""",
    "certificates": """certification; certifications; licensure; certificate; certificates; certified; licence; licences; license; licenses;
        course; courses; coursework; training; trainings; further training; continuing education; cpd; professional
        development; accreditation; accreditations; registration; registrations; zertifikate; zertifizierungen;
        weiterbildung; weiterbildungen; fortbildung; fortbildungen; certificats; certificaciones; cursos; certificazioni;
        corsi; certificaten; certyfikaty; kursy; credentials; workshops; exams""",
    "summary": """summary; profile; objective; objectives; about; about me; statement; personal statement; introduction; overview;
        bio; biography; profile summary; career summary; career objective; career profile; career goal; executive summary;
        professional summary; professional profile; personal profile; experience summary; summary of experience; who i am;
        what i do; in short; short version; in a nutshell; in brief; at a glance; highlights; career highlights; research interests; research; research focus; research profile; mission; goal; goals; pitch;
        zusammenfassung; profil; kurzprofil; über mich; résumé; perfil; resumen; profilo; profiel; sobre mim; o mnie; hello""",
    "languages": """language; languages; spoken languages; language skills; foreign languages; languages known; sprachen;
        sprachkenntnisse; langues; idiomas; lingue; talen; języki""",
    "other": """award; awards; honours; honors; publication; publications; papers; patents; talks; presentations; conferences;
        achievements; accomplishments; grants; fellowships; scholarships; funding; teaching; supervision; service;
        activities; extracurricular; extracurricular activities; leadership; memberships; membership; affiliations;
        associations; committees; outreach; media; press; writing; blog; auszeichnungen;
        veröffentlichungen; distinctions; premios; community""",
    "strengths": """strength; strengths; good at; what i am good at; stärken; points forts; fortalezas""",
    "weaknesses": """weakness; weaknesses; areas for improvement; area for improvement; areas for growth; areas of growth;
        areas for development; development areas; growth areas; what i am learning; what i am still learning; what i am
        working on; what i am still working on; schwächen; debilidades""",
    "traits": """trait; traits; personality; character; qualities; attributes; interest; interests; hobby; hobbies;
        interessen; hobbys; centres d'intérêt; loisirs; intereses; interessi""",
    "personal": """reference; references; referee; referees; contact; contacts; contact
        details; contact information; contact me; get in touch; personal; personal details; personal data; personal
        information; personal particulars; volunteering; volunteer; volunteer work; volunteer experience; voluntary work;
        community service; driving licence; driving license; driver's license; rate; rates; availability; declaration;
        outside work; outside of work; beyond work; off work; spare time; free time; when not working; fun; fun facts; pastimes; other bits;
        bits; miscellaneous; persönliche daten; persönliches; ehrenamt; kontakt; consent; rodo; notes; salary; visa; nationality; links""",
}
_ENTRY_LABELS = frozenset(
    " ".join(label.split())
    for label in """responsibilities; roles responsibilities; roles & responsibilities; roles and responsibilities; key responsibilities;
    main responsibilities; duties; main duties; tasks; main tasks; role; team size; environment; description; project
    description; key achievements; achievements include; tools used; technologies used; tech used; stack used; modules""".split(
        ";"
    )
)
"""Labels within an entry, which are no headings."""
_KINDS = {
    tuple(phrase.split()): kind
    for kind, phrases in _PHRASES.items()
    for phrase in (" ".join(each.split()) for each in phrases.split(";"))
}
_LONGEST_PHRASE = max(map(len, _KINDS))
_FILLERS = frozenset(
    """a an and & + / | the of for in on to with my me i i've i'm ive have has had been that this what where which when who how so far
    professional work working relevant selected key core technical personal academic side main career previous prior past
    current other others additional general computer digital recent practical industry industrial research teaching soft hard
    further executive functional special important notable most before after earlier later under over years
    clinical commercial scientific laboratory lab engineering management business creative design international und et y e ed en
    details detail list areas area things stuff used use using day daily also more some few major minor full time
    related specific volunteer voluntary information international professionnelles professionnelle laboral
    zawodowe fachliche weitere sonstige curriculum vitae sample samples select featured love history summary at top""".split()
)
_PRIORITY: tuple[SectionKind, ...] = (
    "experience", "education", "skills", "projects", "certificates", "summary", "languages", "weaknesses",
    "strengths", "traits", "other", "personal",
)  # fmt: skip
"""Of a heading that announces several things, what the section is read as."""
_WEAK = frozenset(
    {("it",), ("work",), ("areas",), ("research",), ("school",), ("made",), ("built",), ("history",), ("fun",)}
)
"""Phrases that announce something alone, and say nothing beside another."""
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?|[&+/|]")
_NUMBERING = re.compile(r"^(?:\d{1,2}|[IVX]{1,4}|[A-H])[.)]\s{1,3}")
_MOST_WORDS, _MOST_CHARACTERS = 9, 60
_SHORTEST_WITHIN = 6


def heading_kind(text: str, *, is_marked: bool = False) -> SectionKind | None:
    """What a heading announces; None when the text is no heading of a résumé's sections.

    Args:
        text: a line.
        is_marked: the document says that it is a heading, so that one phrase of it is enough.
    """
    plain = _NUMBERING.sub("", text.strip(" :\t.-\N{EN DASH}\N{EM DASH}|•").replace("\t", " "))
    if not plain or len(plain) > _MOST_CHARACTERS or any(map(str.isdigit, plain)):
        return None
    words = [word.replace("’", "'") for word in _WORD.findall(plain.lower())]
    if not words or len(words) > _MOST_WORDS or (not is_marked and _is_sentence(plain)):
        return None
    if " ".join(words) in _ENTRY_LABELS:
        return None
    kinds, unknown = _looked_up(words)
    if not kinds and len(words) == 1 and plain.isupper():
        kinds = _within(words[0])
    if not kinds or (unknown and not is_marked):
        return None
    return next(kind for kind in _PRIORITY if kind in kinds)


def _is_sentence(plain: str) -> bool:
    return plain.endswith((",", ";", "?", "!")) or any(mark in plain for mark in ("@", ";", "(", ": ", ". "))


def _looked_up(words: list[str]) -> tuple[set[SectionKind], int]:
    """What the phrases announce, and how many words are neither part of one nor a filler."""
    found: list[tuple[str, ...]] = []
    unknown = at = 0
    while at < len(words):
        size = next(
            (n for n in range(_LONGEST_PHRASE, 0, -1) if tuple(words[at : at + n]) in _KINDS and at + n <= len(words)),
            0,
        )
        if size:
            found.append(tuple(words[at : at + size]))
        elif words[at] not in _FILLERS:
            unknown += 1
        at += size or 1
    strong = [phrase for phrase in found if phrase not in _WEAK or len(words) == 1]
    return {_KINDS[phrase] for phrase in strong or found}, unknown


def _within(word: str) -> set[SectionKind]:
    """What a line announces whose words run into each other ("ACTIVITIESANDAWARDS")."""
    return {
        kind
        for phrase, kind in _KINDS.items()
        if len(phrase) == 1 and len(phrase[0]) >= _SHORTEST_WITHIN and word.startswith(phrase[0])
    }
