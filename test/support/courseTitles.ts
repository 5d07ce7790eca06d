/**
 * Titles of courses with made-up results of a search. Half of them are treated in other words than
 * the title's, half only look like it. Written before the rule that tells them apart.
 */

interface Page {
  readonly title: string
  readonly text: string
}

/** Title of the course, results, and whether the first of them is about it. */
export type Titled = readonly [course: string, pages: ReadonlyArray<Page>, isTreated: boolean]

const page = (title: string, text: string): Page => ({ title, text })

const treated: ReadonlyArray<readonly [string, ...ReadonlyArray<Page>]> = [
  [
    "Sauna etiquette for newcomers",
    page(
      "The Finnish sauna",
      "People shower before they enter the sauna and sit on a towel. Nobody wears a swimsuit in a family sauna. Talking in the sauna is quiet, and whoever wants more steam asks the others first."
    )
  ],
  [
    "Composting basics at home",
    page(
      "A compost heap in a small garden",
      "Peelings and leaves go into the compost in thin layers. Compost that smells has too little air. Turned every month, the compost is ready within a year."
    )
  ],
  [
    "Beekeeping regulations",
    page(
      "Keeping bees: what the council asks",
      "Whoever keeps bees registers the hives with the council. Bees may not stand closer than ten metres to a path. The council inspects hives of bees every spring."
    )
  ],
  [
    "Chess openings theory",
    page(
      "The first ten moves in chess",
      "In chess the centre is taken by pawns first. Knights come out before bishops in most games of chess. A chess player who castles early keeps the king safe."
    )
  ],
  [
    "Kayaking safety",
    page(
      "Before you paddle: kayaks on open water",
      "A kayak floats when it fills if it has bulkheads. Kayaks are carried to the water by two people. Everyone in a kayak wears a life jacket."
    )
  ],
  [
    "Tenancy deposits reform in Scotland",
    page(
      "Tenancy deposits in Scotland from next year",
      "New rules on tenancy deposits replace the old ones in Scotland from April. A landlord pays the deposit into a scheme within ten days. The old schemes for deposits close."
    )
  ],
  [
    "Vaccination customs for travellers",
    page(
      "Vaccinations before a journey to the tropics",
      "A vaccination against yellow fever is shown at the border. Vaccinations are given at least ten days before the journey. Some vaccinations are repeated after ten years."
    )
  ],
  [
    "Mülltrennung Grundlagen",
    page(
      "Welche Tonne? Mülltrennung im Haushalt",
      "Bei der Mülltrennung kommt Papier in die blaue Tonne. Glas wird nach Farben getrennt. Die Mülltrennung ist in den meisten Gemeinden Pflicht."
    )
  ],
  [
    "Pilzesammeln Regeln",
    page(
      "Pilzesammeln im Wald",
      "Beim Pilzesammeln bleibt man unter zwei Kilo am Tag. Wer Pilze nicht kennt, lässt sie stehen. Das Pilzesammeln ist in Schutzgebieten verboten."
    )
  ],
  [
    "Randonnée réglementation",
    page(
      "La randonnée en montagne",
      "En randonnée, on reste sur le sentier. Une randonnée de nuit se prépare avec une lampe. Les chiens sont interdits en randonnée dans le parc."
    )
  ],
  [
    "Apicultura normativa",
    page(
      "Apicultura para pequeñas fincas",
      "La apicultura exige inscribir las colmenas. En la apicultura se revisan las colmenas cada primavera. Quien empieza en la apicultura visita a un vecino."
    )
  ],
  [
    "찜질방 예절",
    page(
      "찜질방 처음 가는 사람에게",
      "찜질방에서는 먼저 몸을 씻는다. 찜질방 안에서는 큰 소리로 말하지 않는다. 찜질방 옷은 나갈 때 돌려준다."
    )
  ],
  [
    "茶道の作法",
    page(
      "茶道の茶室での過ごし方",
      "茶道では茶碗を回してから飲む。茶道の客は正座して待つ。茶道の菓子は茶の前に食べる。"
    )
  ],
  [
    "盆栽 講座 初級",
    page(
      "盆栽の水やりと剪定",
      "盆栽は土が乾いたら水をやる。盆栽の枝は春に切る。盆栽の鉢は三年ごとに替える。"
    )
  ]
]

const empty: ReadonlyArray<readonly [string, ...ReadonlyArray<Page>]> = [
  [
    "Bridge rules",
    page(
      "A bridge over the Tay",
      "The bridge is closed to lorries. Tolls on the bridge end in May. Cyclists cross the bridge on the left."
    )
  ],
  [
    "Java programming",
    page(
      "Coffee from Java",
      "Java has grown coffee since the seventeenth century. Growers on Java dry the beans in the sun. A cup of Java coffee is heavy."
    )
  ],
  [
    "Seal conservation",
    page(
      "Notary seals and stamps",
      "A seal is pressed into wax. The seal of a notary is registered. Whoever loses the seal reports it within a day."
    )
  ],
  [
    "Crane operation",
    page(
      "The crane dance in the marsh",
      "A crane mates for life. The crane dances in March. Each crane leaves the marsh in autumn."
    )
  ],
  [
    "Gift tax",
    page(
      "Gift wrapping for the holidays",
      "A gift is wrapped in paper. A gift in a box is easier to wrap. Ribbon makes a gift look festive."
    )
  ],
  [
    "Paper recycling",
    page(
      "Writing a research paper",
      "A paper opens with its question. The paper cites every source. A paper is read by two reviewers."
    )
  ],
  [
    "Tenancy law in Austria",
    page(
      "Tenancy law in Norway",
      "Tenancy in Norway is ruled by an act of 1999. A tenancy in Norway lasts at least three years. Law on tenancy changes in Norway are rare."
    )
  ],
  [
    "Driving licence exchange in Portugal",
    page(
      "Currency exchange in Portugal",
      "Exchange offices in Portugal close at six. The exchange of notes costs a fee in Portugal. Exchange rates are shown at the door."
    )
  ],
  [
    "Business card etiquette in Italy",
    page(
      "Credit card fees in Italy",
      "A card payment in Italy costs no fee. The card is blocked after three tries. Whoever loses a card in Italy calls the bank."
    )
  ],
  [
    "Notice of termination",
    page(
      "Notice boards at school",
      "A notice hangs on the board for a week. Every notice has a date. Old notices go on Friday."
    )
  ],
  [
    "Bankrecht Grundlagen",
    page(
      "Die Bank im Stadtpark",
      "Eine Bank aus Holz hält zwanzig Jahre. Die Bank im Park wird gestrichen. Jede Bank trägt ein Schild."
    )
  ],
  [
    "Vol réglementation",
    page(
      "Le vol dans les magasins",
      "Le vol coûte cher aux magasins. Un vol est signalé à la police. Le vol de nuit augmente."
    )
  ],
  [
    "배 농사 기초",
    page(
      "배를 타고 섬으로",
      "배는 아침 여덟 시에 떠난다. 배 안에서는 금연이다. 배가 늦으면 표를 바꾼다."
    )
  ],
  ["橋の設計", page("箸の作法", "箸は右に置かない。箸を器の上に渡さない。箸で人を指さない。")]
]

export const titles: ReadonlyArray<Titled> = [
  ...treated.map(([course, ...pages]): Titled => [course, pages, true]),
  ...empty.map(([course, ...pages]): Titled => [course, pages, false])
]

/** A sentence of an official page and one of another page, and whether they say the opposite. */
export const opinions: ReadonlyArray<
  readonly [official: string, other: string, isOpposed: boolean]
> = [
  [
    "A newcomer has to wait six months before a bank opens an account.",
    "Newcomers do not have to wait six months for a bank account, whatever the guides claim.",
    true
  ],
  [
    "A tenant must give two months' notice.",
    "You do not need to give two months' notice as a tenant.",
    true
  ],
  [
    "Helmets are compulsory for cyclists under 16.",
    "Helmets are not compulsory for cyclists under 16, a policeman told me.",
    true
  ],
  [
    "A fishing licence costs 40 crowns a year.",
    "The fishing licence cost me 55 crowns for the year.",
    true
  ],
  [
    "Ein Hund muss in der Stadt an der Leine gehen.",
    "Ein Hund muss in der Stadt nicht an der Leine gehen.",
    true
  ],
  ["外国人は六か月待たなければ口座を開けない。", "外国人は六か月待たなくても口座を開ける。", true],
  [
    "A newcomer has to wait six months before a bank opens an account.",
    "Newcomers do not have to bring a seal to the bank any more.",
    false
  ],
  [
    "A tenant must give two months' notice.",
    "Tenants do not have to paint the walls before they give the keys back.",
    false
  ],
  [
    "Helmets are compulsory for cyclists under 16.",
    "Helmets are not compulsory for adults on a cycle path.",
    false
  ],
  [
    "A fishing licence costs 40 crowns a year.",
    "Fishing in the lake costs me a day of sleep every week.",
    false
  ],
  [
    "Ein Hund muss in der Stadt an der Leine gehen.",
    "Eine Katze muss in der Stadt nicht an der Leine gehen.",
    false
  ],
  ["外国人は六か月待たなければ口座を開けない。", "日本人は口座を開くのに待たない。", false]
]
