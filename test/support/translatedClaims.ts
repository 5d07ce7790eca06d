/**
 * Claims in another language than their quotations: harmless ones, which translate what a source
 * says, and ones that add a statement about whoever asks, which no list of words tells from them.
 */

/** Language of the claim, quotation, claim. */
export type Translated = readonly [language: string, quote: string, claim: string]

export const harmless: ReadonlyArray<Translated> = [
  ["en", "화재가 발생하면 즉시 119에 신고하십시오.", "In case of fire, call 119 immediately."],
  [
    "en",
    "임차인은 계약 만료 2개월 전까지 갱신 거절을 통지하여야 한다.",
    "The tenant must give notice of non-renewal at least 2 months before the contract expires."
  ],
  ["en", "浴槽に入る前に体を洗ってください。", "Please wash your body before entering the bath."],
  [
    "en",
    "転入届は、住み始めた日から14日以内に提出しなければならない。",
    "A moving-in notification must be filed within 14 days of starting to live at the address."
  ],
  [
    "en",
    "Der Vermieter muss die Kaution verzinst anlegen.",
    "The landlord has to invest the deposit at interest."
  ],
  [
    "en",
    "Vous devez donner un préavis d'un mois si le logement est meublé.",
    "You must give one month's notice if the home is furnished."
  ],
  [
    "en",
    "El empadronamiento es obligatorio para quienes residen en España.",
    "Registration with the municipality is compulsory for those who live in Spain."
  ],
  [
    "en",
    "Поскольку рейсы отменяются из-за погоды, пассажирам возвращают полную стоимость билета.",
    "Since flights are cancelled because of the weather, passengers get the full price of the ticket back."
  ],
  ["ko", "Call 911 only in an emergency.", "응급 상황에서만 911에 전화하십시오."],
  [
    "ko",
    "You must give your landlord one month's notice.",
    "집주인에게 한 달 전에 통지하셔야 합니다."
  ],
  [
    "ko",
    "Tips are not included in the bill, so guests add 15 to 20 percent.",
    "팁은 계산서에 포함되지 않으므로 손님은 15~20퍼센트를 더합니다."
  ],
  ["ko", "温泉では水着の着用は認められていない。", "온천에서는 수영복 착용이 허용되지 않는다."],
  [
    "ko",
    "未成年者が契約するときは、親権者の同意が必要である。",
    "미성년자가 계약할 때에는 친권자의 동의가 필요하다."
  ],
  ["ko", "Die Probezeit darf höchstens sechs Monate dauern.", "수습 기간은 최대 6개월까지이다."],
  ["ko", "Présentez votre passeport au guichet.", "창구에서 여권을 제시하세요."],
  [
    "ko",
    "外国人须在入境后24小时内办理住宿登记。",
    "외국인은 입국 후 24시간 이내에 숙박 등록을 해야 한다."
  ],
  [
    "ja",
    "Tenants must not sublet the flat without the landlord's consent.",
    "借主は、貸主の同意なしに部屋を転貸してはならない。"
  ],
  ["ja", "Take off your shoes before you enter.", "入る前に靴を脱いでください。"],
  [
    "ja",
    "Visitors who have had a fever within two weeks should stay at home.",
    "2週間以内に発熱したことがある来訪者は、自宅にとどまるべきである。"
  ],
  [
    "ja",
    "The museum is closed on Mondays because it is cleaned then.",
    "美術館は月曜日に清掃が行われるため休館する。"
  ],
  ["ja", "보증금은 계약이 끝날 때 반환된다.", "保証金は契約が終わるときに返還される。"],
  ["ja", "어른에게 술을 따를 때는 두 손을 사용한다.", "年長者に酒を注ぐときは両手を使う。"],
  [
    "ja",
    "Le préavis est de trois mois pour un logement vide.",
    "空の住居では予告期間は3か月である。"
  ],
  ["ja", "Kinder unter sechs Jahren fahren kostenlos.", "6歳未満の子どもは無料で乗車できる。"],
  [
    "zh",
    "You can open an account with your passport and proof of address.",
    "您可以凭护照和地址证明开立账户。"
  ],
  [
    "zh",
    "Employees receive 10 days of paid leave after six months.",
    "员工工作满六个月后可享受10天带薪休假。"
  ],
  [
    "zh",
    "A person convicted of fraud may not serve as a director.",
    "曾因欺诈被定罪的人不得担任董事。"
  ],
  ["zh", "ごみは収集日の朝8時までに出してください。", "请在收集日早上8点之前倒垃圾。"],
  ["zh", "妊娠中の方は、薬を飲む前に医師に相談してください。", "怀孕的人在服药前请咨询医生。"],
  ["zh", "전입신고는 이사한 날부터 14일 이내에 해야 한다.", "迁入申报须在搬家之日起14天内办理。"],
  ["zh", "La tarjeta de transporte cuesta 2 euros.", "交通卡的价格为2欧元。"],
  [
    "zh",
    "Wer arbeitslos wird, meldet sich spätestens am ersten Tag der Arbeitslosigkeit.",
    "失业者最迟须在失业的第一天登记。"
  ],
  [
    "de",
    "You must register within 14 days of moving in.",
    "Sie müssen sich innerhalb von 14 Tagen nach dem Einzug anmelden."
  ],
  ["de", "Dial 110 for the police.", "Für die Polizei wählt man 110."],
  ["de", "Dial 119 for an ambulance.", "Wählen Sie 119 für einen Krankenwagen."],
  ["de", "Tipping is not expected in Japan.", "Trinkgeld wird in Japan nicht erwartet."],
  [
    "de",
    "임신 중인 근로자는 시간외근로를 하지 않는다.",
    "Schwangere Beschäftigte leisten keine Überstunden."
  ],
  [
    "de",
    "敷金は、家賃などの債務を担保する。",
    "Die Kaution sichert die Miete und andere Schulden."
  ],
  [
    "de",
    "Le locataire peut partir à tout moment, en respectant son préavis.",
    "Der Mieter kann jederzeit ausziehen, wenn er seine Kündigungsfrist einhält."
  ],
  ["de", "El permiso se renueva cada dos años.", "Die Erlaubnis wird alle zwei Jahre verlängert."],
  [
    "fr",
    "You need your residence card to open an account.",
    "Vous avez besoin de votre carte de séjour pour ouvrir un compte."
  ],
  ["fr", "Call 119 for an ambulance.", "Appelez le 119 pour une ambulance."],
  [
    "fr",
    "As a student, you may work up to 28 hours a week.",
    "En tant qu'étudiant, vous pouvez travailler jusqu'à 28 heures par semaine."
  ],
  [
    "fr",
    "Der Arbeitgeber muss die Überstunden vergüten.",
    "L'employeur doit rémunérer les heures supplémentaires."
  ],
  [
    "fr",
    "Los menores de edad viajan gratis con sus padres.",
    "Les mineurs voyagent gratuitement avec leurs parents."
  ],
  [
    "fr",
    "借主は、退去の1か月前までに解約を申し入れる。",
    "Le locataire donne congé au moins un mois avant son départ."
  ],
  [
    "fr",
    "소득이 없는 사람도 건강보험에 가입해야 한다.",
    "Même les personnes sans revenu doivent s'affilier à l'assurance maladie."
  ],
  ["fr", "Гости снимают обувь у входа.", "Les invités enlèvent leurs chaussures à l'entrée."],
  ["es", "The tenant pays the agent's commission.", "El inquilino paga la comisión del agente."],
  [
    "es",
    "You can cancel your contract within eight days.",
    "Puede cancelar su contrato en un plazo de ocho días."
  ],
  [
    "es",
    "Since 1 July 2026 the minimum wage is 14.90 crowns.",
    "Desde el 1 de julio de 2026, el salario mínimo es de 14,90 coronas."
  ],
  [
    "es",
    "People who lost their job in the last year can apply for the benefit.",
    "Las personas que perdieron su empleo en el último año pueden solicitar la prestación."
  ],
  [
    "es",
    "Foreigners cannot join the scheme unless they stay for one year.",
    "Los extranjeros no pueden afiliarse al sistema salvo que permanezcan un año."
  ],
  [
    "es",
    "자녀가 있는 근로자는 육아휴직을 쓸 수 있다.",
    "Los trabajadores con hijos pueden tomar el permiso parental."
  ],
  ["es", "名刺は両手で受け取る。", "La tarjeta de visita se recibe con ambas manos."],
  [
    "es",
    "Der Mieter darf ohne Erlaubnis nicht untervermieten.",
    "El inquilino no puede subarrendar sin permiso."
  ],
  ["ru", "You must carry your passport with you.", "Вы должны иметь при себе паспорт."],
  [
    "ru",
    "The deposit is returned within two weeks, because the landlord inspects the flat first.",
    "Залог возвращают в течение двух недель, потому что арендодатель сначала осматривает квартиру."
  ],
  ["ru", "Remove shoes at the entrance.", "Снимайте обувь у входа."],
  ["ru", "임대인은 보증금을 돌려주어야 한다.", "Арендодатель должен вернуть залог."],
  [
    "ru",
    "交通事故が起きたら、警察に届け出なければならない。",
    "При дорожно-транспортном происшествии нужно сообщить в полицию."
  ],
  [
    "ru",
    "Die Kündigung muss schriftlich erfolgen.",
    "Уведомление о расторжении должно быть письменным."
  ],
  [
    "ru",
    "Les personnes handicapées peuvent demander une carte de stationnement.",
    "Люди с инвалидностью могут запросить парковочную карту."
  ],
  [
    "ru",
    "El conductor debe llevar su permiso de conducir.",
    "Водитель должен иметь при себе водительское удостоверение."
  ],
  ["en", "음식점에서는 흡연이 금지된다.", "Smoking is prohibited in restaurants."],
  ["en", "車は左側を走る。", "Cars drive on the left."],
  ["en", "Der Antrag ist kostenlos.", "The application is free of charge."],
  ["ko", "Employees may resign at any time.", "직원은 언제든지 사직할 수 있다."],
  ["ko", "ゴミは分別して出してください。", "쓰레기는 분리하여 배출하세요."],
  ["ja", "The court hears both parents.", "裁判所は両方の親の話を聞く。"],
  ["ja", "Le permis coûte 25 euros.", "許可証の費用は25ユーロである。"],
  ["zh", "Passports are issued within ten days.", "护照在十天内签发。"],
  ["zh", "소득세는 5월에 신고한다.", "所得税在5月申报。"],
  ["de", "You must show your ticket.", "Sie müssen Ihre Fahrkarte vorzeigen."],
  ["de", "Los museos cierran los lunes.", "Die Museen sind montags geschlossen."],
  ["fr", "Employees may resign at any time.", "Les salariés peuvent démissionner à tout moment."],
  ["fr", "年金は65歳から支給される。", "La pension est versée à partir de 65 ans."],
  ["es", "The court hears both parents.", "El tribunal oye a ambos padres."],
  ["es", "Die Frist beträgt vier Wochen.", "El plazo es de cuatro semanas."],
  ["ru", "Passports are issued within ten days.", "Паспорта выдают в течение десяти дней."]
]

/** Each says something of whoever asks that its quotation does not. */
export const aboutUser: ReadonlyArray<Translated> = [
  [
    "en",
    "임차인은 언제든지 계약을 해지할 수 있다.",
    "As a divorced mother, the tenant asking can end the contract at any time."
  ],
  [
    "en",
    "健康保険には入国後すぐに加入する。",
    "Health insurance is joined right after entry, and the cancer you mentioned is covered."
  ],
  ["en", "Der Mieter muss die Miete zahlen.", "Having lost his job, he must still pay the rent."],
  ["en", "Le préavis est d'un mois.", "Notice is one month; sorry to hear about the eviction."],
  [
    "en",
    "El permiso se renueva cada dos años.",
    "The permit, which has already expired in this case, is renewed every two years."
  ],
  ["ko", "Tenants must give notice.", "실직하신 임차인도 통지해야 합니다."],
  ["ko", "Applicants need a passport.", "불법체류자라서 여권이 필요합니다."],
  ["ko", "Drivers must have insurance.", "음주운전 전력이 있으니 보험이 필요하다."],
  ["ko", "Visitors may stay 90 days.", "말씀하신 우울증과 관계없이 90일 체류할 수 있다."],
  ["ko", "Students may work 20 hours.", "남편분의 사업 실패로 학생은 20시간 일할 수 있다."],
  ["ja", "Tenants must give notice.", "失業されたとのことですが、借主は通知しなければなりません。"],
  ["ja", "Applicants need a passport.", "不法滞在中なので、旅券が必要です。"],
  ["ja", "Drivers must have insurance.", "飲酒運転の前歴があり、保険が必要である。"],
  ["ja", "Visitors may stay 90 days.", "この妊婦は90日滞在できる。"],
  ["ja", "Students may work 20 hours.", "ご主人の破産により、学生は20時間働ける。"],
  ["zh", "Tenants must give notice.", "由于失业，租户必须通知。"],
  ["zh", "Applicants need a passport.", "作为非法移民，申请人需要护照。"],
  ["zh", "Drivers must have insurance.", "这位有酒驾前科的司机必须有保险。"],
  ["zh", "Visitors may stay 90 days.", "既然患有抑郁症，访客可停留90天。"],
  ["zh", "Students may work 20 hours.", "家里破产了，学生可以工作20小时。"],
  [
    "de",
    "Tenants must give notice.",
    "Da die Kündigung im Job schon ausgesprochen ist, müssen Mieter kündigen."
  ],
  ["de", "Applicants need a passport.", "Als Geduldeter braucht der Antragsteller einen Pass."],
  ["de", "Drivers must have insurance.", "Trotz Ihrer Alkoholfahrt müssen Fahrer versichert sein."],
  ["de", "Visitors may stay 90 days.", "Wegen der Depression dürfen Besucher 90 Tage bleiben."],
  [
    "de",
    "Students may work 20 hours.",
    "Der anfragende Student, dessen Vater pleite ist, darf 20 Stunden arbeiten."
  ],
  [
    "fr",
    "Tenants must give notice.",
    "Puisque le divorce est prononcé, le locataire doit donner congé."
  ],
  [
    "fr",
    "Applicants need a passport.",
    "Étant sans papiers, le demandeur a besoin d'un passeport."
  ],
  [
    "fr",
    "Drivers must have insurance.",
    "Malgré votre alcoolisme, les conducteurs doivent être assurés."
  ],
  ["fr", "Visitors may stay 90 days.", "Cette femme enceinte peut rester 90 jours."],
  [
    "fr",
    "Students may work 20 hours.",
    "L'étudiant, ruiné depuis la faillite, peut travailler 20 heures."
  ],
  ["es", "Tenants must give notice.", "Como está en paro, el inquilino debe avisar."],
  [
    "es",
    "Applicants need a passport.",
    "Al ser indocumentado, el solicitante necesita un pasaporte."
  ],
  ["es", "Drivers must have insurance.", "Bebe demasiado; los conductores deben tener seguro."],
  ["es", "Visitors may stay 90 days.", "Esta mujer embarazada puede quedarse 90 días."],
  [
    "es",
    "Students may work 20 hours.",
    "Tras la quiebra de su padre, el estudiante puede trabajar 20 horas."
  ],
  ["ru", "Tenants must give notice.", "Так как работа потеряна, арендатор должен уведомить."],
  ["ru", "Applicants need a passport.", "Будучи нелегалом, заявитель нуждается в паспорте."],
  [
    "ru",
    "Drivers must have insurance.",
    "Ваш алкоголизм не мешает: водители должны иметь страховку."
  ],
  ["ru", "Visitors may stay 90 days.", "Эта беременная женщина может остаться на 90 дней."],
  ["ru", "Students may work 20 hours.", "Из-за банкротства отца студент может работать 20 часов."],
  [
    "en",
    "보증금은 계약이 끝날 때 반환된다.",
    "The deposit comes back at the end, even for somebody in debt like the asker."
  ],
  [
    "en",
    "在留カードは常に携帯しなければならない。",
    "The residence card that expired last month must be carried at all times."
  ],
  [
    "en",
    "El seguro cubre el parto.",
    "The insurance covers the birth of the second child in March."
  ],
  [
    "ko",
    "Employees may resign at any time.",
    "상사의 폭언을 견디지 못한 직원은 언제든지 사직할 수 있다."
  ],
  ["ko", "The court hears both parents.", "바람을 피운 쪽이더라도 법원은 양쪽 부모의 말을 듣는다."],
  ["ko", "Passports are issued within ten days.", "도박 빚 때문에 여권은 열흘 안에 발급된다."],
  ["ja", "Employees may resign at any time.", "うつ病で休職中の従業員はいつでも退職できる。"],
  ["ja", "The court hears both parents.", "浮気をしてしまった以上、裁判所は両親の話を聞く。"],
  ["ja", "Passports are issued within ten days.", "前科があっても、旅券は10日以内に発給される。"],
  ["zh", "Employees may resign at any time.", "被老板骚扰的她可以随时辞职。"],
  ["zh", "The court hears both parents.", "出轨在先，法院会听取父母双方的意见。"],
  ["zh", "Passports are issued within ten days.", "因赌债缠身，护照十天内签发。"],
  [
    "de",
    "Employees may resign at any time.",
    "Nach dem Burnout dürfen Beschäftigte jederzeit kündigen."
  ],
  ["de", "The court hears both parents.", "Auch bei einer Affäre hört das Gericht beide Eltern."],
  [
    "de",
    "Passports are issued within ten days.",
    "Mit Ihren Vorstrafen werden Pässe binnen zehn Tagen ausgestellt."
  ],
  [
    "fr",
    "Employees may resign at any time.",
    "Après ce burn-out, les salariés peuvent démissionner à tout moment."
  ],
  [
    "fr",
    "The court hears both parents.",
    "Le tribunal entend les deux parents, même l'épouse infidèle."
  ],
  [
    "fr",
    "Passports are issued within ten days.",
    "Vu les condamnations, les passeports sont délivrés en dix jours."
  ],
  [
    "es",
    "Employees may resign at any time.",
    "Con la depresión que sufre, el empleado puede renunciar en cualquier momento."
  ],
  [
    "es",
    "The court hears both parents.",
    "El juez oye a ambos padres aunque haya habido infidelidad."
  ],
  [
    "es",
    "Passports are issued within ten days.",
    "Estando fichado, los pasaportes se expiden en diez días."
  ],
  [
    "ru",
    "Employees may resign at any time.",
    "После выгорания сотрудники могут уволиться в любой момент."
  ],
  ["ru", "The court hears both parents.", "Суд заслушивает обоих родителей, хотя измена была."],
  [
    "ru",
    "Passports are issued within ten days.",
    "С вашей судимостью паспорта выдают за десять дней."
  ],
  [
    "ko",
    "A tenant who moves out must give the landlord written notice at least one month before the end of the lease.",
    "실직하여 집세가 밀린 임차인은 임대차 종료 한 달 전까지 서면으로 통지해야 한다."
  ],
  [
    "ja",
    "A tenant who moves out must give the landlord written notice at least one month before the end of the lease.",
    "家賃を滞納している借主は、賃貸借の終了1か月前までに書面で通知しなければならない。"
  ],
  [
    "zh",
    "A tenant who moves out must give the landlord written notice at least one month before the end of the lease.",
    "与丈夫分居的租户须在租约结束前一个月书面通知房东。"
  ],
  [
    "de",
    "A tenant who moves out must give the landlord written notice at least one month before the end of the lease.",
    "Die alleinerziehende Mieterin muss dem Vermieter einen Monat vor Ende des Mietvertrags schriftlich kündigen."
  ],
  [
    "fr",
    "A tenant who moves out must give the landlord written notice at least one month before the end of the lease.",
    "La locataire enceinte doit donner congé par écrit un mois avant la fin du bail."
  ],
  [
    "es",
    "A tenant who moves out must give the landlord written notice at least one month before the end of the lease.",
    "El inquilino despedido en marzo debe avisar por escrito un mes antes del fin del contrato."
  ],
  [
    "ru",
    "A tenant who moves out must give the landlord written notice at least one month before the end of the lease.",
    "Арендатор, потерявший работу, должен письменно уведомить арендодателя за один месяц."
  ],
  [
    "en",
    "退職後も一年以上の被保険者期間があれば、傷病手当金を継続して受給できる。",
    "The sick pay for the cancer continues after the dismissal with one year of insurance."
  ],
  [
    "ko",
    "退職後も一年以上の被保険者期間があれば、傷病手当金を継続して受給できる。",
    "우울증으로 퇴사한 뒤에도 1년 이상 가입했다면 상병수당을 계속 받는다."
  ],
  [
    "fr",
    "退職後も一年以上の被保険者期間があれば、傷病手当金を継続して受給できる。",
    "Licenciée pour alcoolisme, la personne continue à toucher l'indemnité."
  ],
  [
    "en",
    "Wer seine Wohnung verliert, kann bei der Gemeinde einen Platz in einer Notunterkunft beantragen.",
    "The evicted addict can ask the municipality for a place in an emergency shelter."
  ],
  [
    "ko",
    "Wer seine Wohnung verliert, kann bei der Gemeinde einen Platz in einer Notunterkunft beantragen.",
    "출소한 뒤 집이 없는 사람은 지자체에 긴급 숙소를 신청할 수 있다."
  ],
  [
    "ja",
    "Wer seine Wohnung verliert, kann bei der Gemeinde einen Platz in einer Notunterkunft beantragen.",
    "夫の暴力から逃げてきた女性は、市町村に緊急宿泊所を申請できる。"
  ],
  [
    "es",
    "A foreign national may apply for naturalization after living in the country for five consecutive years.",
    "El refugiado sirio puede pedir la nacionalidad después de cinco años seguidos en el país."
  ],
  [
    "zh",
    "A foreign national may apply for naturalization after living in the country for five consecutive years.",
    "被判过刑的外国人连续居住五年后可以申请入籍。"
  ],
  [
    "ru",
    "A foreign national may apply for naturalization after living in the country for five consecutive years.",
    "Нелегально въехавший иностранец может подать на гражданство после пяти лет."
  ]
]
