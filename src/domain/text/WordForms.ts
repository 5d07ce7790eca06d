/** English forms that no ending shows: "won" of "win", "wrote" of "write". Compared by one form. */
import { stem } from "./Stem.ts"
import { terms } from "./Words.ts"

/** The plain form, then the others of it. Ambiguous ones such as "saw" and "left" are not here. */
const families = `arise arose arisen,awake awoke,bear bore borne born,beat beaten,become became,
begin began begun,bite bit bitten,blow blew blown,break broke broken,bring brought,build built,
buy bought,catch caught,choose chose chosen,come came,deal dealt,die died death,
draw drew drawn,drink drank drunk,drive drove driven,eat ate eaten,fall fell fallen,feed fed,
feel felt,fight fought,find found,flee fled,fly flew flown,forbid forbade forbidden,
forget forgot forgotten,freeze froze frozen,get got gotten,give gave given,go went gone,
grow grew grown,hear heard,hide hid hidden,hold held,keep kept,know knew known,lay laid,
lead led,lend lent,lose lost,make made,mean meant,meet met,pay paid,ride rode ridden,
ring rang rung,rise rose risen,run ran,say said,seek sought,sell sold,send sent,
shake shook shaken,shoot shot,show shown,sing sang sung,sink sank sunk,sit sat,sleep slept,
speak spoke spoken,spend spent,spring sprang sprung,stand stood,steal stole stolen,
strike struck,swear swore sworn,swim swam swum,take took taken,teach taught,tell told,
think thought,understand understood,wake woke,wear wore worn,win won winner,
write wrote written writer,withdraw withdrew withdrawn`

const plainForms: ReadonlyMap<string, string> = new Map(
  families.split(",").flatMap((family) => {
    const [plain = "", ...others] = family.trim().split(/\s+/)
    return others.map((form) => [stem(form), stem(plain)] as const)
  })
)

/** Base form of a term that `Words.terms` gave; most pass unchanged. */
export const plainForm = (term: string): string => plainForms.get(term) ?? term

/** A text's terms, each in its plain form. */
export const plainTerms = (text: string): ReadonlySet<string> => new Set(terms(text).map(plainForm))
