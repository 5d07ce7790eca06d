/**
 * Words for things of one kind: which sport, which calling, which party a text speaks of.
 *
 * A question that names the kind can be answered by few words only, and two texts that hold
 * different ones answer it differently. Kinds that no short list covers are not here.
 */

export interface Kind {
  /** Stands in a question that asks for one of the kind. */
  readonly asked: RegExp
  readonly words: RegExp
}

/** The longest word wins: "ice hockey" is not "hockey". Plurals and people count as the thing. */
const kind = (asked: RegExp, list: string): Kind => {
  const longestFirst = list.split(",").map((word) => word.trim())
    .toSorted((left, right) => right.length - left.length)
  return { asked, words: new RegExp(`\\b(${longestFirst.join("|")})(?:s|es)?\\b`, "giu") }
}

const kinds: ReadonlyArray<Kind> = [
  kind(
    /\bsports?\b/iu,
    "american football, association football, australian rules, football, soccer, baseball, " +
      "basketball, cricket, ice hockey, field hockey, hockey, rugby league, rugby union, rugby, " +
      "tennis, table tennis, badminton, volleyball, handball, golf, boxing, wrestling, sumo, " +
      "judo, karate, taekwondo, fencing, swimming, diving, gymnastics, athletics, sprinting, " +
      "middle-distance, long-distance, marathon, cycling, rowing, sailing, skiing, snowboarding, " +
      "speed skating, figure skating, curling, biathlon, bobsleigh, luge, weightlifting, " +
      "snooker, darts, chess, motorsport, formula one, nascar, equestrian, polo, water polo, " +
      "lacrosse, softball, archery, bowling, squash, surfing, triathlon, hurling, " +
      "gaelic football, bandy, horse racing, footballer, cricketer, golfer, boxer, wrestler, " +
      "swimmer, gymnast, cyclist, rower, skier, sprinter, nfl, nba, nhl, mlb, afl"
  ),
  kind(
    /\b(?:profession|occupation|job|career|calling|do for a living)\b/iu,
    "actor, actress, architect, artist, painter, sculptor, photographer, author, writer, poet, " +
      "novelist, playwright, journalist, editor, screenwriter, comedian, musician, singer, " +
      "songwriter, composer, conductor, pianist, guitarist, drummer, rapper, producer, director, " +
      "filmmaker, dancer, politician, senator, member of parliament, minister, diplomat, lawyer, " +
      "attorney, judge, jurist, barrister, physician, doctor, surgeon, nurse, biologist, " +
      "physicist, chemist, mathematician, astronomer, geologist, botanist, zoologist, engineer, " +
      "inventor, economist, historian, philosopher, theologian, linguist, psychologist, " +
      "sociologist, anthropologist, archaeologist, professor, teacher, academic, educator, " +
      "scientist, soldier, officer, general, admiral, pilot, astronaut, priest, bishop, " +
      "cardinal, clergyman, missionary, monk, rabbi, businessman, businesswoman, entrepreneur, " +
      "banker, merchant, farmer, chef, model, athlete, footballer, basketball player, " +
      "baseball player, football player, cricketer, soprano, mezzo-soprano, tenor, baritone, " +
      "opera singer, designer, cartoonist, illustrator, animator, broadcaster, presenter, " +
      "explorer, nobleman, activist"
  ),
  kind(
    /\b(?:medium|genre|type of (?:work|media|medium|film|music|game))\b/iu,
    "novel, novella, book, short story, poem, poetry, play, film, movie, television series, " +
      "sitcom, telenovela, miniseries, documentary, album, song, single, musical, opera, ballet, " +
      "comic, manga, anime, video game, board game, card game, magazine, newspaper, painting, " +
      "sculpture, radio, drama, comedy, thriller, horror, action, adventure, romance, " +
      "science fiction, fantasy, western, crime, mystery, rock, pop, jazz, blues, country, folk, " +
      "hip hop, rap, reggae, metal, punk, electronic, soul, classical, gospel, indie"
  ),
  kind(
    /\b(?:part(?:y|ies)|ideology)\b/iu,
    "republican, democratic, democrat, labour, labor, conservative, liberal, green, socialist, " +
      "communist, whig, federalist, independent, tory, nationalist, progressive, populist, " +
      "libertarian, right-wing, left-wing, far-right, far-left, national socialism, fascist, " +
      "centrist, social democratic, unionist, farmer-labor"
  ),
  kind(
    /\binstruments?\b/iu,
    "piano, guitar, bass guitar, bass, drum, violin, viola, cello, double bass, flute, clarinet, " +
      "oboe, bassoon, trumpet, trombone, tuba, horn, saxophone, harp, organ, keyboard, tabla, " +
      "sitar, banjo, mandolin, accordion, harmonica, percussion, voice, vocal"
  ),
  kind(
    /\b(?:which|what) position\b/iu,
    "goalkeeper, defender, midfielder, forward, striker, winger, full-back, centre-back, " +
      "quarterback, linebacker, running back, wide receiver, tight end, tackle, guard, center, " +
      "centre, pitcher, catcher, shortstop, outfielder, infielder, goaltender, defenseman"
  ),
  kind(
    /\b(?:colou?r)\b/iu,
    "red, orange, yellow, green, blue, purple, violet, pink, brown, black, white, grey, gray, " +
      "gold, silver"
  )
]

/** What the question asks for; `undefined` when it names no kind known here. */
export const kindOf = (question: string): Kind | undefined =>
  kinds.find(({ asked }) => asked.test(question))
