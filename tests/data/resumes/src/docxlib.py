from docx import Document
from docx.shared import Pt, Cm
from docx.enum.text import WD_TAB_ALIGNMENT
def new(font="Calibri", size=10.5):
    d=Document(); s=d.styles["Normal"]; s.font.name=font; s.font.size=Pt(size); s.paragraph_format.space_after=Pt(2)
    for x in d.sections: x.left_margin=x.right_margin=Cm(2); x.top_margin=x.bottom_margin=Cm(1.8)
    return d
def para(d,t,bold=False,italic=False):
    p=d.add_paragraph(); r=p.add_run(t); r.bold=bold; r.italic=italic; return p
def label(d,k,v):
    p=d.add_paragraph(); p.add_run(k+" ").bold=True; p.add_run(v)
def right(d,l,r):
    p=d.add_paragraph(); p.paragraph_format.tab_stops.add_tab_stop(Cm(17),WD_TAB_ALIGNMENT.RIGHT); p.paragraph_format.space_before=Pt(5)
    p.add_run(l).bold=True; p.add_run("\t"+r)
def bullets(d,*xs):
    for x in xs: d.add_paragraph(x,style="List Bullet")
