/** Reads traditional characters and those of Cantonese as simplified ones, letter by letter. */

/** Pairs: as written, as read. */
const pairs =
  "張张劉刘陳陈楊杨黃黄趙赵吳吴孫孙馬马羅罗鄭郑謝谢許许鄧邓馮冯韓韩蕭萧葉叶蔣蒋蘇苏呂吕盧卢鍾钟鐘钟譚谭陸陆賈贾韋韦鄒邹閻阎錢钱湯汤賀贺龔龚龐庞顏颜嚴严溫温蘆芦倫伦魯鲁畢毕聶聂婁娄齊齐莊庄歐欧蘭兰時时會会關关費费紀纪單单車车華华衛卫項项陰阴應应樂乐萬万歲岁麗丽靜静強强軍军傑杰豔艳濤涛剛刚輝辉國国瓊琼瑩莹鳳凤潔洁榮荣愛爱蓮莲環环媽妈婭娅嫻娴寧宁寶宝嵐岚憶忆慶庆懷怀勝胜義义興兴謙谦賢贤達达遠远運运銘铭鋒锋銳锐長长順顺頌颂飛飞鴻鸿鶴鹤龍龙諾诺語语詩诗雲云電电號号碼码訊讯證证護护銀银帳账戶户單单駕驾駛驶執执險险編编稱称職职業业學学園园師师醫医闆板經经總总務务員员長长課课處处隊队臺台灣湾幣币圓圆資资稅税後后領领導导顧顾問问題题請请嗎吗麼么誰谁為为幾几個个們们這这裡里裏里對对給给從从來来還还沒没讓让說说講讲話话聽听買买賣卖開开關关門门間间過过進进動动種种現现點点類类約约級级結结給给統统線线續续維维繳缴罰罚訴诉報报場场屬属樓楼層层號号棟栋鄉乡鎮镇縣县區区爺爷婦妇孫孙兒儿嬰婴貓猫內内僱雇傭佣離离職职辦办認认識识該该誤误錯错續续須须願愿顯显駐驻體体黨党儀仪價价優优億亿亞亚係是喺在嘅的唔不冇没佢他哋们嗰那咗了啲些俾给乜什點点諗想睇看攞拿搵找"

const read = new Map(
  Array.from(pairs.matchAll(/(.)(.)/gu), (pair) => [pair[1] ?? "", pair[2] ?? ""] as const)
)

/** Text with traditional characters as simplified ones. One stands for one, so offsets stay. */
export const simplified = (text: string): string =>
  Array.from(text, (letter) => read.get(letter) ?? letter).join("")
