/**
 * Forty made-up pages with a question that each answers, and forty questions that none of them
 * does, though most share a subject, a name or a phrase with one.
 */

interface Told {
  readonly title: string
  readonly text: string
  readonly answered: string
  readonly unanswered: string
}

const told = (title: string, text: string, answered: string, unanswered: string): Told => ({
  title,
  text,
  answered,
  unanswered
})

export const storeQuestions: ReadonlyArray<Told> = [
  told(
    "Ferry to Marrow Island",
    "The ferry from Tellin harbour to Marrow Island takes 55 minutes. A return ticket costs 18 " +
      "crowns, and bicycles travel free of charge.",
    "How much does a return ticket for the ferry to Marrow Island cost?",
    "How many passengers fell ill on the ferry to Marrow Island in 2019?"
  ),
  told(
    "Opening hours of the Ostrava Glass Museum",
    "The Ostrava Glass Museum is open from Tuesday to Sunday. The doors open at 10:00 and close " +
      "at 17:30. The last visitors are let in at 17:00.",
    "When does the Ostrava Glass Museum close?",
    "Who designed the roof of the Ostrava Glass Museum?"
  ),
  told(
    "Parking permits in Brackwater",
    "Residents of Brackwater may apply for a parking permit at the town hall. The permit is valid " +
      "for 24 months and costs 96 crowns.",
    "For how long is a parking permit in Brackwater valid?",
    "What fine does a driver pay for blocking a hydrant in Brackwater?"
  ),
  told(
    "The Hollen bridge",
    "The Hollen bridge was opened in 1934 and designed by the engineer Marta Lindqvist. Its main " +
      "span measures 212 metres.",
    "Who designed the Hollen bridge?",
    "How many cars cross the Hollen bridge on a working day?"
  ),
  told(
    "Growing sea kale",
    "Sea kale is a perennial vegetable of stony shores. Its seeds need 21 days to germinate in " +
      "soil at fifteen degrees.",
    "How many days do the seeds of sea kale need to germinate?",
    "Which supermarket sells the cheapest sea kale seeds?"
  ),
  told(
    "Library cards for students",
    "Students of Quillmere College receive a library card without charge. With it they may borrow " +
      "12 books at a time for four weeks.",
    "How many books may students of Quillmere College borrow at a time?",
    "What is the tuition fee of Quillmere College for foreign students?"
  ),
  told(
    "Dog rules on Penner beach",
    "Dogs are allowed on Penner beach from October to April. In summer they must stay behind the " +
      "dunes and be kept on a lead.",
    "In which months are dogs allowed on Penner beach?",
    "How warm is the water at Penner beach in July?"
  ),
  told(
    "The Aldren marathon",
    "The Aldren marathon is run each year on the second Sunday of May. Runners have six hours to " +
      "reach the finish on Mill Street.",
    "How many hours do runners of the Aldren marathon have to reach the finish?",
    "Who won the Aldren marathon in 2024?"
  ),
  told(
    "Recycling glass in Torvale",
    "In Torvale glass is collected every third Wednesday. Lids must be taken off, and window glass " +
      "belongs at the depot on Quarry Road.",
    "On which day is glass collected in Torvale?",
    "How many tonnes of paper did Torvale recycle last year?"
  ),
  told(
    "The comet Harrow",
    "The comet Harrow returns every 71 years. It was last seen with the naked eye in 1998 from the " +
      "southern hemisphere.",
    "How often does the comet Harrow return?",
    "What is the mass of the comet Harrow?"
  ),
  told(
    "Weddings at Corrin castle",
    "Corrin castle rents its knights' hall for weddings. The hall seats 140 guests and is heated " +
      "from October on.",
    "How many guests does the hall of Corrin castle seat?",
    "In which century did Corrin castle burn down?"
  ),
  told(
    "Bread of the Vell valley",
    "The rye bread of the Vell valley is baked twice. The second baking takes 40 minutes at a low " +
      "heat and gives it a dark crust.",
    "How long does the second baking of the rye bread of the Vell valley take?",
    "How much salt does an adult of the Vell valley eat each day?"
  ),
  told(
    "The night bus N7",
    "The night bus N7 runs from Central Station to Larkfield every 30 minutes. It does not run on " +
      "the nights before public holidays.",
    "How often does the night bus N7 run to Larkfield?",
    "Which company builds the electric engine of the night bus N7?"
  ),
  told(
    "Fishing licence of Lake Sorrel",
    "Anglers at Lake Sorrel need a licence. It is sold at the boathouse, costs 35 crowns for a " +
      "season and allows three trout a day.",
    "How many trout a day does the fishing licence of Lake Sorrel allow?",
    "What was the heaviest pike ever caught in Lake Sorrel?"
  ),
  told(
    "The choir of Saint Ebba",
    "The choir of Saint Ebba rehearses on Thursdays at 19:30 in the crypt. New voices are heard in " +
      "September and in January.",
    "When does the choir of Saint Ebba rehearse?",
    "How many records has the choir of Saint Ebba sold?"
  ),
  told(
    "Quartz mine of Hask",
    "The quartz mine of Hask was closed in 1971 after a flood. Since 2003 visitors may walk through " +
      "the upper gallery with a guide.",
    "In which year was the quartz mine of Hask closed?",
    "How deep is the lowest shaft of the quartz mine of Hask?"
  ),
  told(
    "Swimming lessons in Dunmere",
    "The pool of Dunmere teaches children from the age of five. A course has ten lessons and costs " +
      "82 crowns.",
    "How many lessons does a swimming course in Dunmere have?",
    "Who holds the swimming record of 100 metres in Dunmere?"
  ),
  told(
    "The Pell wind farm",
    "The Pell wind farm has 26 turbines. Together they supply 41,000 households with power.",
    "How many turbines does the Pell wind farm have?",
    "Which bank financed the Pell wind farm?"
  ),
  told(
    "Cheese of Ibron",
    "The blue cheese of Ibron ripens for 90 days in limestone caves. It is made of ewe's milk alone.",
    "For how many days does the blue cheese of Ibron ripen?",
    "How much blue cheese does Ibron export to Canada?"
  ),
  told(
    "Rent deposits in Kestrel",
    "A landlord in Kestrel keeps a deposit of two months' rent at most. It is paid back within " +
      "six weeks after the keys are returned.",
    "Within how many weeks is a deposit paid back in Kestrel?",
    "How much did rents in Kestrel rise in 2025?"
  ),
  told(
    "The Orrin lighthouse",
    "The Orrin lighthouse stands 47 metres tall. Its keeper until 1988 was Ida Brandvold.",
    "How tall is the Orrin lighthouse?",
    "What colour was the Orrin lighthouse painted in 1950?"
  ),
  told(
    "Blood donation in Varne",
    "Donors in Varne may give blood every twelve weeks. They must weigh at least 50 kilograms.",
    "How often may donors in Varne give blood?",
    "Which blood group is rarest among donors in Varne?"
  ),
  told(
    "Allotments of Greyfield",
    "An allotment of Greyfield measures 250 square metres. The waiting list is three years long.",
    "How long is the waiting list for an allotment of Greyfield?",
    "Which pesticides are forbidden on an allotment of Greyfield?"
  ),
  told(
    "The Tamsin opera house",
    "The Tamsin opera house has 1,150 seats. Standing tickets are sold at the side door one hour " +
      "before the curtain.",
    "How many seats does the Tamsin opera house have?",
    "What salary does the conductor of the Tamsin opera house earn?"
  ),
  told(
    "Snow clearing in Fennick",
    "Owners of houses in Fennick must clear the pavement by 07:00. On Sundays they have until 09:00.",
    "By when must owners of houses in Fennick clear the pavement on Sundays?",
    "How much snow fell in Fennick in January 2010?"
  ),
  told(
    "The Rossby telescope",
    "The Rossby telescope has a mirror of 3.6 metres. It saw first light in 2011 under the " +
      "astronomer Lena Okafor.",
    "How large is the mirror of the Rossby telescope?",
    "How many planets did the Rossby telescope discover?"
  ),
  told(
    "Tea of Mount Sable",
    "The green tea of Mount Sable is picked by hand in April. It is steeped at 70 degrees for two " +
      "minutes.",
    "At how many degrees is the green tea of Mount Sable steeped?",
    "How many workers pick the green tea of Mount Sable?"
  ),
  told(
    "Evening school of Lorne",
    "The evening school of Lorne offers courses in 14 languages. Enrolment ends on 20 August.",
    "When does enrolment at the evening school of Lorne end?",
    "Who founded the evening school of Lorne?"
  ),
  told(
    "The Brindle railway",
    "The Brindle railway climbs 900 metres in 38 minutes. It was electrified in 1926.",
    "When was the Brindle railway electrified?",
    "How many accidents did the Brindle railway have in the 1960s?"
  ),
  told(
    "Honey of the Ashmoor",
    "Heather honey of the Ashmoor is harvested in September. A hive yields 9 kilograms in a good year.",
    "How many kilograms of heather honey does a hive of the Ashmoor yield?",
    "Which mites kill the hives of the Ashmoor?"
  ),
  told(
    "Passports in Lindmark",
    "A passport of Lindmark is issued within 15 working days. It is valid for ten years and costs " +
      "65 crowns.",
    "Within how many working days is a passport of Lindmark issued?",
    "How many countries admit holders of a passport of Lindmark without a visa?"
  ),
  told(
    "The Coldwell hospital",
    "Visitors are welcome at the Coldwell hospital between 14:00 and 19:00. The children's ward has " +
      "no fixed hours.",
    "Between which hours are visitors welcome at the Coldwell hospital?",
    "How many beds does the Coldwell hospital have?"
  ),
  told(
    "Stone circle of Wexley",
    "The stone circle of Wexley consists of 33 stones. The tallest of them weighs 11 tonnes.",
    "Of how many stones does the stone circle of Wexley consist?",
    "Which archaeologist excavated the stone circle of Wexley?"
  ),
  told(
    "The Umber festival",
    "The Umber festival of lights lasts five nights. It begins on the first Friday of November.",
    "How many nights does the Umber festival of lights last?",
    "How many litres of beer were drunk at the Umber festival?"
  ),
  told(
    "Water meters in Saltry",
    "Water meters in Saltry are read once a year, in March. A reading may be sent by post card.",
    "In which month are water meters in Saltry read?",
    "How hard is the water in Saltry?"
  ),
  told(
    "The Nightjar hostel",
    "The Nightjar hostel at Pine Gap has 44 beds. Breakfast is served from 06:30 and the door is " +
      "locked at midnight.",
    "From when is breakfast served at the Nightjar hostel?",
    "Does the Nightjar hostel rent out skis?"
  ),
  told(
    "Roof insulation grants in Mardle",
    "The town of Mardle pays a grant of 30 percent for roof insulation. Applications are decided " +
      "within eight weeks.",
    "What percentage does the grant of Mardle pay for roof insulation?",
    "How many heat pumps were installed in Mardle in 2023?"
  ),
  told(
    "The seed bank of Illun",
    "The seed bank of Illun keeps 310,000 samples at minus 18 degrees. It was founded by the botanist " +
      "Jonas Perreira.",
    "Who founded the seed bank of Illun?",
    "How much power does the seed bank of Illun use in a year?"
  ),
  told(
    "Chess club of Harlow Green",
    "The chess club of Harlow Green meets on Mondays at the Red Lion. Beginners are taught by Pia " +
      "Novak from 18:00.",
    "Where does the chess club of Harlow Green meet on Mondays?",
    "Which rating does the best player of the chess club of Harlow Green have?"
  ),
  told(
    "The Skerry tunnel",
    "The Skerry tunnel is 5.4 kilometres long. Cars pay 7 crowns and motorcycles 4 crowns.",
    "How long is the Skerry tunnel?",
    "Which explosives were used to build the Skerry tunnel?"
  )
]
