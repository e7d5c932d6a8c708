import sys
from reportlab.lib.pagesizes import letter
from reportlab.lib.styles import ParagraphStyle as S
from reportlab.platypus import *
n=S("n",fontName="Helvetica",fontSize=10,leading=13.2); r=S("r",parent=n,alignment=2)
b=S("b",parent=n,leftIndent=14,bulletIndent=4); h=S("h",parent=n,fontName="Helvetica-Bold",fontSize=12,leading=15,spaceBefore=9,spaceAfter=2,textColor="#1a5276"); t=S("t",parent=n,fontName="Helvetica-Bold",fontSize=19,leading=24,alignment=1); c=S("c",parent=n,alignment=1)
s=[]
P=lambda x,st=n:s.append(Paragraph(x,st))
def H(x): P(x,h); s.append(HRFlowable(width="100%",thickness=.6,color="#1a5276",spaceAfter=3))
def row(l,d):
    q=Table([[Paragraph(l,n),Paragraph(d,r)]],colWidths=[360,144]); q.setStyle([("LEFTPADDING",(0,0),(-1,-1),0),("RIGHTPADDING",(0,0),(-1,-1),0),("BOTTOMPADDING",(0,0),(-1,-1),1),("VALIGN",(0,0),(-1,-1),"TOP")]); s.append(q)
def B(*xs):
    for x in xs: s.append(Paragraph(x,b,bulletText="\u2022"))
P("Angela Fictitia Moreno, RN, BSN",t); P("Tucson, AZ | 520-555-0164 | angela.moreno@example.com",c)
H("PROFESSIONAL SUMMARY")
P("Compassionate Registered Nurse with 10 years of experience in medical-surgical, telemetry and intensive care units. Skilled in patient assessment, care planning and patient education. Known for staying calm under pressure and for precise documentation.")
H("LICENSES AND CERTIFICATIONS")
B("Registered Nurse, State of Arizona, License No. RN000000","Basic Life Support (BLS), Advanced Cardiac Life Support (ACLS)","CCRN, 2020")
H("PROFESSIONAL EXPERIENCE")
row("<b>Adventure Works Medical Center</b>, Tucson, AZ<br/><i>Registered Nurse, Intensive Care Unit</i>","09/2018 - Present")
B("Provide direct care for critically ill patients at a 1:2 ratio in a 24-bed ICU.","Manage mechanical ventilation, central lines, arterial lines and vasoactive drips.","Serve as charge nurse for up to 12 nurses per shift.","Precept new graduate nurses and nursing students.","Member of the sepsis committee; helped reduce central line infections by 30% in one year.","Document in Epic.")
row("<b>Southridge Regional Hospital</b>, Phoenix, AZ<br/><i>Registered Nurse, Telemetry</i>","06/2015 - 08/2018")
B("Cared for five to six patients per shift with cardiac conditions, including post-procedure care.","Interpreted cardiac rhythms, performed EKGs and administered IV medications.","Educated patients and families on heart failure, diet and discharge instructions.","Charted in Cerner.")
row("<b>Graphic Valley Care Home</b>, Mesa, AZ<br/><i>Certified Nursing Assistant</i>","05/2012 - 05/2015")
B("Assisted 12 residents with daily living, vital signs, mobility and feeding.","Reported changes in condition to the nurse in charge.")
H("EDUCATION")
row("<b>Saguaro State University</b><br/>Bachelor of Science in Nursing","08/2013 - 05/2015")
row("<b>Desert Palms Community College</b><br/>Associate of Applied Science in Nursing","08/2010 - 05/2013")
H("SKILLS")
q=Table([[Paragraph(x,n) for x in z] for z in [("Patient assessment","IV therapy","Wound care"),("Medication administration","Telemetry monitoring","Phlebotomy"),("Ventilator management","Infection control","Care planning"),("Epic, Cerner, Pyxis","Patient advocacy","Teamwork")]],colWidths=[168]*3); s.append(q)
H("VOLUNTEER WORK")
row("Blood pressure screenings, Old Pueblo Free Clinic","2017 - 2019")
SimpleDocTemplate(sys.argv[1],pagesize=letter,leftMargin=54,rightMargin=54,topMargin=36,bottomMargin=34).build(s)
