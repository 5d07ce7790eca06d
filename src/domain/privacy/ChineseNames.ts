/** How names are introduced in Chinese. */
import type { NamePattern } from "./NamedPattern.ts"
import { alternatives } from "./PrivateText.ts"
import { unspacedWords } from "./UnspacedWords.ts"

const { kin, role } = unspacedWords.zh
const family = alternatives(kin)
const who = `(?:${alternatives(`${kin}|${role}`)})`
const doubles =
  "欧阳|司马|诸葛|上官|皇甫|令狐|慕容|万俟|夏侯|闻人|赫连|尉迟|公羊|澹台|公冶|宗政|濮阳|淳于|单于|太叔|申屠|公孙|仲孙|轩辕|钟离|宇文|长孙|鲜于|闾丘|司徒|司空|端木|拓跋|呼延|独孤|南宫"
const surname = `(?:${doubles}|` +
  "[王裘李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗郑梁谢宋唐许邓冯韩曹曾彭萧肖蔡潘田董袁于余叶蒋杜苏魏程吕丁沈任姚卢傅钟姜崔谭陶苗闫廖范汪陆陸金石戴贾賈韦韋夏邱方侯邹鄒熊孟秦白江阎薛尹段雷钱汤黎易常武乔贺龚文庞樊兰殷施陶洪翟安颜倪严牛温芦季俞章鲁葛伍毕聂焦向柳邢骆岳齐尚梅莫庄辛管祝左涂谷祁时舒耿牟卜路詹关苗凌费纪靳盛童欧甄项曲成游阳裴席卫查屈鲍位覃霍翁隋植甘景薄单包司柏宁柯阮桂闵解强柴华车冉房边辜古万史顾邵毛郝孔康高褚尤戚喻窦奚郎酆廉岑滕邬卞穆湛禹狄臧谈茅娄刁虞昝缪贲杭钮嵇荀芮羿储邴糜巫隗宓郗仲伊仇栾钭厉戎符韶郜蓟宿蒲邰鄂蔺屠蒙胥莘逄姬郦雍郤璩桑濮扈冀郏浦晏瞿茹宦庾暨匡寇禄阙殳蔚夔巩厍晁敖訾阚饶毋鞠巢蒯荆竺逯桓缑亢佘佴谯笪佟冼麦仝粟苟揭卓麻])"
const given =
  "[仪权佩雯鸣宾珠娴雁鹃凌韬骁屹逸煊熠硕钧锦钰铮锴邈赫贞谊誉谦谨裕蓝萱葳莹臻翊羚翎羲绮缨缘绣绢硬砚碧珺玥珏琛瑜璟瓒甜畅畔疆盈睦瞳祺禾穆竣筱粤艺芊芮苒茉茵茹荃莎蔓薰虹衫褚小伟强丽敏静磊洋勇军杰娟艳涛明超霞平刚桂英华文辉玉红建国春梅婷雪琳晨浩宇轩涵梓萱欣怡悦佳慧芳燕玲芬萍莉莎娜兰秀珍琴云凤洁荣爱莲真环月莺媛瑞凡珊倩冰颖露瑶嘉蓉眉君蕊薇菁梦岚苑婕馨瑗琰韵融园艺咏卿聪澜纯毓昭婉晓欢霄枫芸菲寒伊亚宜可姬舒影荔枝思飞宏志东海山仁波宁贵福生龙元全胜学祥才发武新利清彬富顺信子林德天泽庆震振健民友永坚中安立力河世广义兴良仲光达岩茂进有和彪博诚先敬鑫乾乐俊帅豪鹏凯斌军成康星哲恒翔旭诗雨桐彤语若可一心依紫朵儿俪淑惠雅然皓航奕睿泽瀚霖沐辰诺丹阳奇琪珂瑾瑜璐璇晶晴昊昌昱曦景程启培基远航毅峰岭岳嵩川江湖涌源溪润滨灿炎焕煜炜烨照熙燃田申白皎盛石砚磊礼祖福秋科程稷立竹笑筠纪绍维继群羽翠耀育胤自舟良艾苏茜荷菊萌葵蓓蔚蕾行衡西言诗贝贤路超越载迪通道遥邦郁铁铭锋锐长青非音顺颂飒香驰骏高鸿鹤麟默齐楠柏桥森榕樱权李松朗期木本朝未末杉材杨果柳柔树根栋梁橙毛水汉汐沙沛法洲洪海淇淼添渝湘源满滔潇澄尧德]"
const han = "\\p{Script=Han}"
const behind =
  "(?=[，,。、；;！!？?：:\\s（(）)的在把被说要是和跟给今去想让没不得了有也都因刚只总又还已于家从对向将能会叫欠住拖先女小老同医主教出吃参考受打借骗今明昨最近年\\d生从开买卖离跟来患死去确怀失丢结离怀收发需遇转退加请搬租]|$)"
const nouns =
  /^(?:何[时处人种]|任[何意务]|马[上路虎]|周[末围边年]|高[考中血温兴级校三二一新]|方[面法便式案向]|白[天内癜]|金[额融]|万[一元]|严[重格]|常[常年]|时[候间]|康复|余额|黄疸|向[我他她]|安[全排装]|成[年人绩都]|关[系于心]|单[位身方]|包[括裹]|解[决除释]|强[制行]|华[为人侨]|车[子祸险]|房[子东产租贷]|路[上边]|文[化件凭]|水[电费]|石[头膏]|夏天|江[苏西]|海[外南]|温[度州]|牛奶|雷[雨电]|毛[病发]|史上|左[右边手]|武汉|兰州|宁[波夏]|石家|管理|章[程子]|施工|席[位]|游[戏泳客]|阳[台性光]|费用|项目|曲[线]|盛[大]|边[境]|古[代]|万一|同[事学]|尚未|易[经]|季[度节]|位[置于]|司[机法]|于是|平时|平安)/u

export const chinesePatterns: ReadonlyArray<NamePattern> = [
  {
    name: "Chinese: name before the relation",
    pattern: new RegExp(
      `(?<=^|[，,。！!？?；;\\s])(?<secret>${surname}(?:${given}{1,2}|${han}${given}|${given}${han}))(?=是(?:我|本人))`,
      "gu"
    ),
    not: nouns,
    where: "anywhere",
    example: "苗思远是我同学",
    counterexample: "水费是我交的"
  },
  {
    name: "Chinese: I am, of a place",
    pattern: new RegExp(
      `(?:我|本人)是?(?:住在?|来自|在|是)${han}{2,12}的(?<secret>${surname}(?:${given}{1,2}|${han}${given}))(?=[，,。！!]|$)`,
      "gu"
    ),
    not: nouns,
    where: "anywhere",
    example: "我是住在沙田的陈美仪，",
    counterexample: "我是北京的高中生，"
  },
  {
    name: "Chinese: addressed",
    pattern: new RegExp(
      `(?<=^|[，,。！!\\n]\\s?)(?<secret>[阿小老]${han}|${surname}${given}{1,2})(?=(?:你好|您好|早上好|[，,]))`,
      "gu"
    ),
    not: new RegExp(`${nouns.source}|^(?:老[师板公婆人家]|小[姐孩区]|阿姨)`, "u"),
    where: "anywhere",
    example: "阿权你好",
    counterexample: "老师你好"
  },
  {
    name: "Chinese: I am called",
    pattern:
      /(?:我叫|本人叫|我的名字是|我的名字叫|名字叫|名字是|名叫|(?:姓名|全名|本名)[:：]?\s?|叫做|全名是?|大名)(?<secret>\p{Script=Han}{2,4}?|[A-Z][A-Za-z]+(?: [A-Z][A-Za-z]+){0,2})(?=今年|来自|是|在|的|(?!\p{Script=Han})[^]|$)/gu,
    not: /^(?:什么|外卖|快递|车|网约|滴滴|出租|不|他|她|你|救护|啥)/u,
    goes: "with its lead",
    where: "anywhere",
    example: "你好，我叫周雨桐，在成都",
    counterexample: "我叫外卖要给小费吗"
  },
  {
    name: "Chinese: I am",
    pattern: new RegExp(
      `(?:我是|本人是?|这里是|我，)(?<secret>${surname}${given}{1,2}|小${surname}|[A-Z][a-z]+(?: [A-Z][a-z]+)?)(?=(?!\\p{Script=Han})[^]|$)`,
      "gu"
    ),
    not: nouns,
    goes: "with its lead",
    where: "anywhere",
    example: "本人刘德胜，1962年",
    counterexample: "我是高中生，签证"
  },
  {
    name: "Chinese: relation and full name",
    pattern: new RegExp(
      `${who}(?:叫|是|名叫|名字叫|，|,|（|\\(|：)?(?<secret>(?:${doubles})${han}{1,2}?|${surname}(?:${given}{1,2}|${given}${han}|${han}${given}))${behind}`,
      "gu"
    ),
    not: nouns,
    where: "anywhere",
    example: "房东孙国庆不退我押金",
    counterexample: "儿子高考填志愿"
  },
  {
    name: "Chinese: one of our house",
    pattern: new RegExp(
      `(?:我家|我们家|咱家|俺家)(?<secret>${given}{2}|[小阿大]?${given}(?:宝|儿|仔|妹))(?=[，,。\\d今在有得发感咳过生上去说想要会能不没又])`,
      "gu"
    ),
    not: /^(?:小[区孩狗猫院]|附近|孩子|宝宝)/u,
    where: "anywhere",
    example: "我家雨桐发烧了",
    counterexample: "我家小区停电了"
  },
  {
    name: "Chinese: asked for by a familiar name",
    pattern: new RegExp(
      `(?<=[找叫问让跟和与联系])(?<secret>[老小阿]${surname})(?=[，,。！!]|$)`,
      "gu"
    ),
    not: /^(?:老[师板公婆人家]|小[学区时孩])/u,
    where: "anywhere",
    example: "打我电话，找老逄。",
    counterexample: "去找老师，"
  },
  {
    name: "Chinese: relation and a name in brackets",
    pattern: new RegExp(`${who}[(（](?<secret>${surname}${han}{1,2})(?=[,，)）、])`, "gu"),
    not: nouns,
    where: "anywhere",
    example: "我妈(麻秀珍,68)",
    counterexample: "我妈(高血压)"
  },
  {
    name: "Chinese: relation and full name beside it",
    pattern: new RegExp(`(?:${family})(?<secret>${surname}${given}{2})`, "gu"),
    not: nouns,
    where: "anywhere",
    example: "老公赵一鸣公积金",
    counterexample: "老公高考分数"
  },
  {
    name: "Chinese: relation and pet name",
    pattern: new RegExp(
      `${who}(?:叫|是|，)?(?<secret>(?<a>[\\p{Script=Han}])\\k<a>|[小阿老]\\p{Script=Han})`,
      "gu"
    ),
    not:
      /^(?:天天|常常|刚刚|慢慢|仅仅|偏偏|爸爸|妈妈|哥哥|姐姐|弟弟|妹妹|爷爷|奶奶|叔叔|舅舅|姑姑|婆婆|公公|宝宝|狗狗|猫猫|偷偷|渐渐|往往|明明|稍稍|默默|突突|多多|大大|好好|小[学孩区时腿姐妹弟哥舅姨叔产额型]|老[家人是板公婆师]|阿姨)/u,
    where: "anywhere",
    example: "女儿朵朵在幼儿园",
    counterexample: "妈妈天天加班"
  },
  {
    name: "Chinese: names joined",
    pattern:
      /(?:双胞胎|儿子|女儿|孩子|姐妹|兄弟)(?:叫|是)?\p{Script=Han}{2,3}?(?:和|跟|、)(?<secret>\p{Script=Han}{2,3}?)(?=[，,。在都出今的要\s])/gu,
    not: /^(?:老婆|老公|女儿|儿子|妈妈|爸爸|我们|父母|丈夫|妻子|孩子)/u,
    where: "anywhere",
    example: "双胞胎安安和宁宁出生了",
    counterexample: "孩子户口和老公的"
  },
  {
    name: "Chinese: relation and given name",
    pattern: new RegExp(
      `(?:${family})(?:叫|是)?(?<secret>${given}{2})(?=[，,。\\d想要在今把说得有怀发烧生病住摔受拿考去来做打买卖欠没也都会能可吃喝是被给让坐离结上]|$)`,
      "gu"
    ),
    not:
      /^(?:白天|学生|可能|可以|一直|医生|海外|国外|中学|大学|高中|高考|出国|发烧|生病|生活|月经|天生|平时|然后|全部|永远|自己|东西|国际|和我|和他|子女|一心|学校|学习|志愿|成年|西安|长沙|海南|云南|天津|江苏|山东|广东|先天|新生|林业|生育|山西|河南|河北|辰溪|小学|友善)/u,
    where: "anywhere",
    example: "我弟弟浩然想去加拿大",
    counterexample: "我妹妹一直想去"
  },
  {
    name: "Chinese: relation and foreign name",
    pattern: new RegExp(
      `(?:${family})(?:叫|是)?(?<secret>[阿艾安奥巴贝本布查达大戴丹蒂多厄恩尔法菲弗福戈格古哈海赫亨霍基吉加杰卡凯康科克肯库拉莱兰朗劳勒雷里利莉莲林琳鲁伦罗洛玛麦曼梅蒙米娜妮尼诺帕佩皮普乔切琼瑞萨塞莎山史斯苏索塔泰汤特托瓦维韦温沃西希夏谢休雅亚扬伊因尤约扎詹珍朱佐·]{2,8})(?=是|[，,。（]|的|在|想|来自)`,
      "gu"
    ),
    not: /^(?:加拿大|西班牙|英格兰|苏格兰|波兰|意大利|罗马|巴西|海南|西安|海外|山西|大海)/u,
    where: "anywhere",
    example: "我女朋友萨莎是俄罗斯人",
    counterexample: "我老公加拿大籍"
  },
  {
    name: "Chinese: name and title",
    pattern: new RegExp(
      `(?<!主|班)(?!${who})(?<secret>${surname}${given}{0,2})(?=先生|女士|小姐|老师|医生|大夫|同学|经理|主任|律师|教授|阿姨|叔叔|师傅|老板|校长|护士|局长|处长|科长|队长|教练|奶奶|爷爷|大姐|大哥)`,
      "gu"
    ),
    not: nouns,
    where: "statement",
    example: "租客吴先生三个月没交",
    counterexample: "班主任老师没收"
  },
  {
    name: "Chinese: title and name",
    pattern: new RegExp(
      `(?:先生|女士|老师|医生|大夫|主任|经理|律师|教授|师傅|阿姨)(?<secret>${surname}${given}{1,2})${behind}`,
      "gu"
    ),
    not: nouns,
    where: "anywhere",
    example: "王医生王海波给我开了",
    counterexample: "医生给我开了"
  },
  {
    name: "Chinese: employer",
    pattern:
      /(?:在|于|为)(?:(?:北京|上海|广州|深圳|成都|杭州|南京|武汉|西安|重庆|天津|苏州|长沙|厦门|青岛|悉尼|东京|伦敦|纽约|香港)(?:的)?)?(?<secret>(?!(?:公司|工厂|外地|国外|海外|这里|家里?|医院|学校|国企|银行|超市|酒店|餐厅|一家|事业单位|私企|外企|小区|工地|饭店|网上|线上|那里|体制内|机关|政府)(?:里|做|上|打|工|实|任|当|干))[\p{Script=Han}A-Za-z&]{2,14}?)(?=上班|工作|任职|就职|实习|打工|当(?!地)|做(?:前台|保安|程序|会计|销售|客服|服务|保洁|护士|老师)|读书|上学|就读|念书|入职|离职)/gu,
    not:
      /^(?:北京|上海|广州|深圳|成都|杭州|南京|武汉|西安|重庆|天津|苏州|长沙|悉尼|东京|伦敦|纽约|香港|德国|美国|日本|英国|加拿大|澳大利亚|一家.*|中国|大学|国内|国外|小学|中学|高中|幼儿园|一个.*|工厂.*|公司.*|家|.*(?:期间|的时候))$/u,
    where: "anywhere",
    example: "在成都海底捞上班，加班费",
    counterexample: "在一家公司上班"
  },
  {
    name: "Chinese: company",
    pattern: /(?<secret>[\p{Script=Han}A-Za-z]{2,16}?(?:有限责任公司|股份有限公司|有限公司))/gu,
    not: /^(?:注册|成立|什么是|一家|股份|变更|注销|开)/u,
    where: "statement",
    example: "公司是杭州云栖软件有限公司，",
    counterexample: "注册有限公司"
  },
  {
    name: "Chinese: school",
    pattern:
      /(?:在|是|读|上|念|去|，|,|^|儿子|女儿|孩子|我家)(?<secret>\p{Script=Han}{2,8}?(?:小学|中学|幼儿园|附中|附小|实验学校))/gu,
    not:
      /^(?:公立|私立|国际|民办|重点|一所|哪个|什么|农村|附近|外地|普通|北京|上海|我们|所有|全国|一年级|今年|户口)/u,
    where: "statement",
    example: "女儿朵朵在红星幼儿园得了",
    counterexample: "今年小学开学"
  },
  {
    name: "Chinese: end of a letter",
    pattern: new RegExp(
      `(?:(?:谢谢|感谢|多谢|祝好|敬礼)[！!。，,]?\\s*|\\n\\s*|[—-]{1,2})(?<secret>${surname}${given}{1,2})(?=\\s*(?:\\n|$|。|敬上|上))`,
      "gu"
    ),
    not: nouns,
    where: "anywhere",
    example: "谢谢！何静\n请问",
    counterexample: "谢谢！马上"
  },
  {
    name: "Chinese: somebody who does something",
    pattern: new RegExp(`(?<secret>${surname}${given}{2})(?=[打骂欠说把被不给让骗偷咬推])`, "gu"),
    not: nouns,
    where: "statement",
    example: "班上的李子涵打了他，",
    counterexample: "高血压不能吃什么"
  },
  {
    name: "Chinese: familiar title",
    pattern: new RegExp(
      `(?<![\\p{Script=Han}])(?<secret>${surname})(?=[姐哥总叔婶姨嫂](?:[欠说要不把被给让家，,。]))`,
      "gu"
    ),
    where: "statement",
    example: "陈姐欠我钱，",
    counterexample: "表姐欠我钱"
  },
  {
    name: "Chinese: surname told",
    pattern: /姓(?<secret>\p{Script=Han})(?=[，,。、的])/gu,
    where: "anywhere",
    example: "房东姓裘，",
    counterexample: "老百姓的生活"
  },
  {
    name: "Chinese: I am of a firm",
    pattern:
      /我是(?<secret>\p{Script=Han}{2,6}?)(?=的?(?:员工|快递员|骑手|司机|客服|职工|店员|柜员|外卖员))/gu,
    not: /^(?:一名|一个|公司|外卖|网约|出租|公交|临时|合同|正式|普通|卡车|货车|新)/u,
    where: "anywhere",
    example: "我是顺丰快递员，",
    counterexample: "我是一名快递员"
  },
  {
    name: "Chinese: clause that opens with a name",
    pattern: new RegExp(
      `(?<=[，,。])(?:她|他)?叫(?<secret>${surname}\\p{Script=Han}{1,2}?)(?=[，,。、]|$)`,
      "gu"
    ),
    not: nouns,
    where: "anywhere",
    example: "老太太，叫裘美娣，",
    counterexample: "他叫我走"
  }
]
