import sys; from docxlib import *
d=new("Georgia",10.5)
d.add_heading("Chloe Musterfield",0)
para(d,"Digital Marketing Specialist",italic=True)
t=d.add_table(rows=1,cols=2); t.autofit=False
L,R=t.rows[0].cells
for c,w in((L,Cm(5.2)),(R,Cm(11.8))): c.width=w
def add(c,t,b=False,i=False):
    p=c.add_paragraph(); r=p.add_run(t); r.bold=b; r.italic=i; return p
def H(c,t): p=add(c,t,True); p.runs[0].font.size=Pt(13); p.paragraph_format.space_before=Pt(8)
H(L,"Contact")
for x in("Bristol, UK","+44 117 496 0123","chloe.musterfield@example.com"): add(L,x)
H(L,"Skills")
for x in("SEO","Google Ads","Content marketing","Email marketing","Social media management","Copywriting","Google Analytics 4","Mailchimp","HubSpot","WordPress","Canva","Adobe Photoshop","Meta Ads Manager","Microsoft Excel"): add(L,x)
H(L,"Education")
add(L,"BA (Hons) Marketing",True); add(L,"University of Avonmere"); add(L,"Sept 2014 – June 2017")
H(L,"Certificates")
add(L,"Google Ads Search Certification, 2023"); add(L,"CIM Level 4 Certificate, 2019")
H(L,"Interests"); add(L,"Open-water swimming, baking, pub quizzes")
H(R,"Profile")
add(R,"Creative and data-driven marketer with 6 years' experience in e-commerce and charities. I plan campaigns, write the copy and prove what worked. Organised, a good communicator and happy to work to deadlines.")
H(R,"Employment")
def J(t,o,w,*b):
    add(R,t,True); add(R,o+" | "+w,i=True)
    for x in b: R.add_paragraph(x,style="List Bullet")
J("Digital Marketing Specialist","Wingtip Toys","April 2021 – Present","Manage a monthly paid search and paid social budget of £45,000 with an average return on ad spend of 4.2.","Grew organic traffic by 65% in two years through keyword research, technical SEO fixes and link building.","Plan and send weekly email campaigns in Klaviyo to 120,000 subscribers.","Report on performance in Looker Studio every month.","Manage one marketing assistant and two freelance designers.")
J("Marketing Executive","Southridge Hospice Trust","Jan 2019 – Mar 2021","Ran the charity's social media channels (Facebook, Instagram, LinkedIn) and grew followers from 8k to 31k.","Organised fundraising events for up to 400 guests.","Wrote press releases and built relationships with local media.","Updated the website in WordPress and edited short videos in Adobe Premiere Pro.")
J("Marketing Assistant","Fabrikam Residences","Aug 2017 – Dec 2018","Wrote blog posts, brochures and property descriptions.","Kept the customer database in Salesforce up to date and segmented mailing lists.","Designed flyers and posters in Adobe InDesign and Canva.")
H(R,"References"); add(R,"Available on request.")
d.save(sys.argv[1])
