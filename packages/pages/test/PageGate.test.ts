/** What is no page in spite of a 200, and pages that only speak of such things. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as MainContent from "../src/MainContent.ts"
import { isPartial, noPageOf } from "../src/PageGate.ts"

const prose =
  "The registry of Halvern records who owns a house, and each change is entered by a clerk. "

describe("a text that is no page", () => {
  it.each([
    [
      "captcha",
      "Just a moment...",
      "www.halvern.org\nVerifying you are human. This may take a few seconds."
    ],
    ["captcha", "Nur einen Moment…", "Bestätigen Sie, dass Sie ein Mensch sind."],
    ["captcha", "Un momento…", "Verifica que eres un ser humano."],
    ["captcha", "", "Подтвердите, что вы не робот"],
    ["captcha", "", "접속을 계속하려면 로봇이 아닙니다 항목을 확인하세요."],
    ["captcha", "", "人間であることを確認してください。"],
    ["captcha", "", "请完成安全验证后继续访问。"],
    [
      "blocked",
      "Access Denied",
      "You don't have permission to access \"http://a.example/\" on this server. Reference #18.9f"
    ],
    ["blocked", "Attention", "Sorry, you have been blocked. You are unable to access a.example."],
    ["blocked", "", "Accès refusé. Votre adresse a été signalée."],
    ["soft_404", "Page not found | Halvern", "We looked everywhere. Try the search."],
    ["soft_404", "Halvern", "404\nThe page you are looking for does not exist."],
    ["soft_404", "Halvern", "Die angeforderte Seite wurde nicht gefunden."],
    ["soft_404", "", "La página que busca no existe."],
    ["soft_404", "", "お探しのページは見つかりませんでした。"],
    ["soft_404", "", "您访问的页面不存在。"],
    ["soft_404", "", "요청하신 페이지를 찾을 수 없습니다."],
    ["soft_404", "halvern.example", "This domain is for sale. Make an offer."],
    ["moved", "Redirecting", "This page has moved. If you are not redirected, click here."],
    ["moved", "", "Sie werden in Kürze weitergeleitet."],
    ["moved", "", "ホームページは移転しました。"],
    ["login_wall", "Sign in", "You must be logged in to view this page. Email or phone. Password."],
    ["login_wall", "", "Bitte melden Sie sich an, um diesen Beitrag zu sehen."],
    ["login_wall", "", "このページを見るにはログインが必要です。"],
    ["login_wall", "", "请先登录后查看全部内容。"],
    [
      "consent_wall",
      "Before you continue to the search",
      "We use cookies and data to deliver services. If you accept, we will also use cookies to show personalized ads. You can change your privacy settings at any time."
    ],
    [
      "consent_wall",
      "Halvern",
      "Wir verwenden Cookies. Mit Ihrer Einwilligung verarbeiten unsere Partner Daten. Sie können der Datenschutzerklärung mehr entnehmen."
    ],
    [
      "consent_wall",
      "Weiterlesen",
      "Mit Werbung weiterlesen\nSie lesen wie gewohnt mit Werbung. Ihre Einwilligung können Sie widerrufen.\nPur-Abo für 3 € im Monat\nNutzen Sie alles ohne Werbung. Wir und 98 Partner verarbeiten Daten."
    ],
    [
      "consent_wall",
      "Le Courrier",
      "Vous acceptez les cookies de publicité et lisez gratuitement, ou vous vous abonnez pour 1 € par mois.\nVotre consentement vaut pour nos 142 partenaires."
    ],
    [
      "consent_wall",
      "El Diario",
      "Puedes leer gratis si aceptas las cookies de publicidad de nuestros socios.\nSi no das tu consentimiento, suscríbete por 2 € al mes y lee sin publicidad."
    ],
    [
      "consent_wall",
      "Głos Halvern",
      "Klikając „Dalej” zgadzasz się, aby 90 partnerów czytało Twoje dane osobowe wg art. 6 ust. 1 lit. a. Jeśli nie wyrazisz zgody, możesz wykupić dostęp bez reklam za 9 koron."
    ],
    [
      "consent_wall",
      "新聞",
      "Cookieに同意して無料で読むか、購読してください。\n同意により90社のパートナーが広告をあなたに表示します。"
    ],
    [
      "consent_wall",
      "Deník",
      "Se souhlasem vám 90 partnerů ukazuje reklamy.\nNechcete dát souhlas? Předplaťte si web bez reklam."
    ],
    [
      "consent_wall",
      "Halvernbladet",
      "Du samtycker till att 90 partner läser dina kakor och visar annonser.\nVill du inte ge ditt samtycke kan du läsa reklamfritt för 9 kronor."
    ],
    [
      "captcha",
      "Sorry",
      `Press “Go on” to show that it is you. Please complete the CAPTCHA. ${prose.repeat(9)}`
    ],
    ["js_shell", "Halvern", "You need to enable JavaScript to run this app."],
    ["js_shell", "", "このサイトを見るにはJavaScriptを有効にしてください。"],
    ["soft_404", "", "Deze pagina bestaat niet. Ga naar de startpagina."],
    ["soft_404", "Nie znaleziono strony | Halvern", "Przejdź do strony głównej."],
    ["soft_404", "", "Aradığınız sayfa bulunamadı."],
    ["soft_404", "", "Không tìm thấy trang bạn yêu cầu."],
    ["soft_404", "", "الصفحة غير موجودة"],
    ["login_wall", "", "Zaloguj się, aby zobaczyć dokument."],
    ["login_wall", "", "Vui lòng đăng nhập để xem nội dung."],
    ["blocked", "", "Too many requests. Try again in an hour."],
    ["blocked", "Halvern", "The site is currently down for scheduled maintenance."],
    ["captcha", "Een ogenblik geduld...", "Bevestig dat u een mens bent."],
    ["garbled", "", "¥Ï¥ë¥Ð¡¼¥ó»Ô¤Ç¤Ï¡¢²È²°¤ÎÅÐµ­¤Î¼ê¿ôÎÁ¤Ï»Í½½±ß¤Ç¤¢¤ë¡£"],
    ["garbled", "", "ÇÒ¹ø½Ã¿¡¼´Â °¡¿Á µî±â ¼ö¼ö·á°¡ »ç½Ê Å©¶ó¿îÀÌ´Ù. µî±â´Â ¿µ¾÷ÀÏ ¿­Èê ¾È¿¡"],
    ["garbled", "", "GebÃ¼hren fÃ¼r HÃ¤user und GÃ¤rten, Ã¼ber StraÃŸen und BÃ¼rger"],
    ["garbled", "", "\ufffd\ufffd\ufffd\ufffd \ufffd\ufffd\ufffd\ufffd 40 \ufffd\ufffd\ufffd"]
  ])("%s: %s %s", (fault, title, text) => {
    assert.strictEqual(noPageOf({ title, text }), fault)
  })

  it.each([
    ["How to fix a 404", prose.repeat(5) + "A page not found error has three causes."],
    [
      "Cookie policy",
      "We use cookies to remember your consent. We share no personal data with partners."
    ],
    [
      "Papers of Halvern",
      "Papers ask for consent or a subscription. The board finds that lawful where the price is fair.\nWhoever pays sees no advertising. Those who consent are tracked by partners.\nConsent is not free where privacy costs money."
    ],
    [
      "Prasa w Halvern",
      "Gazety proszą o zgodę albo abonament. Rada uważa, że zgoda jest ważna, gdy cena jest uczciwa.\nKto płaci, nie widzi reklam."
    ],
    [
      "Subscribe",
      "A subscription costs 9 crowns a month. You may cancel your subscription at any time.\nStudents pay to read half of it. You accept our terms."
    ],
    [
      "Signs of the web",
      `“Just a moment...” and “Access denied” are two of them. ${prose.repeat(5)}`
    ],
    ["Signs of the web", `Just a moment... is one of them. ${prose.repeat(13)}`],
    ["Cookies in Halvern", `We use cookies. ${prose.repeat(3)}`],
    ["CAPTCHA", `${prose.repeat(20)} It asks whether you are a human.`],
    ["Moving house", `${prose.repeat(6)} The registry has moved to Mill Street.`],
    ["Opening hours", "Open until six today. Log in to the portal from home."],
    ["Gebühren", "Die Gebühr für Häuser beträgt 40 €. Über 30 m² kostet es ½ mehr, «fünf» Öre."],
    ["Frais", "Le délai est d’un mois à Évry ; l’été, ça coûte 40 £, soit 3 ½ ¥ — déjà payé."],
    ["Phí", "Lệ phí đăng ký nhà ở Hà Nội là bốn mươi nghìn đồng, nộp trước tháng năm."],
    ["Ücret", "Başvuru ücreti kırk krondur; İstanbul’da ödenir, şehirde değil, çünkü öyle."],
    ["登記", "登記の手数料は四十円である。受付は月曜日から。"]
  ])("is none of these: %s", (title, text) => {
    assert.isUndefined(noPageOf({ title, text }))
  })

  it("costs the text's length, whatever it repeats", () => {
    const start = performance.now()
    for (
      const piece of [
        "you must ",
        "page you are looking for ",
        "Ã ",
        "\ufffd",
        "log in or a ",
        "la página "
      ]
    ) {
      const text = piece.repeat(100_000).slice(0, 200_000)
      noPageOf({ title: text.slice(0, 500), text: text.slice(0, 1_400) })
      noPageOf({ text })
      isPartial(text)
    }
    assert.isBelow(performance.now() - start, 500)
  })
})

describe("a page of HTML that is no page by its markup", () => {
  const faultOf = (html: string) =>
    Result.getOrThrow(MainContent.readContent(html, "https://a.example.org/")).no_page
  const password = "<form><label>Kennwort<input type=password name=p></label></form>"

  it.each([
    [
      "captcha",
      `<title>Oh noes!</title><p>${prose.repeat(5)}<script id=anubis_challenge>{}</script>`
    ],
    ["captcha", `<p>Hold on.</p><script>window._cf_chl_opt={a:1}</script>`],
    ["captcha", `<p>Please wait.<iframe src="https://geo.captcha-delivery.com/captcha/?a=1">`],
    ["login_wall", `<title>Anmelden | Amt</title><p>${prose.repeat(5)}</p>${password}`],
    ["login_wall", `<h1>Giriş</h1><p>${prose.repeat(5)}</p>${password}`],
    ["login_wall", `<title>Portal</title><p>Email</p>${password}<p>Forgot?</p>`],
    ["soft_404", "<title>Halvern</title><h1>Page not found</h1><p>We looked everywhere for it.</p>"]
  ])("%s: %s", (fault, html) => {
    assert.strictEqual(faultOf(html), fault)
  })

  it.each([
    `<script>window._cf_chl_opt={a:1}</script><p>${prose.repeat(30)}</p>`,
    `<title>Fees</title><h1>Fees</h1>${password}<p>${prose.repeat(5)}</p>`,
    `<title>Anmelden | Amt</title><h1>Anmelden</h1><p>${prose.repeat(30)}</p>${password}`,
    `<title>Fees</title><p>Forty crowns.</p><div hidden>${password}</div>`
  ])("is none of these: %s", (html) => {
    assert.isUndefined(faultOf(html))
  })
})

describe("a text that is a part of its page", () => {
  it.each([
    [`${prose.repeat(10)}Subscribe to continue reading.`, true],
    [`${prose.repeat(10)}Jetzt abonnieren und weiterlesen`, true],
    [`${prose.repeat(10)}ログインして続きを読む`, true],
    [`${prose.repeat(3)}\ufffd\ufffd ${prose.repeat(3)}\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd`, true],
    [`${prose.repeat(3)}one stray \ufffd`, false],
    [prose.repeat(10), false]
  ])("is known by its end or by lost letters", (text, expected) => {
    assert.strictEqual(isPartial(text), expected)
  })
})

describe("a page that writes itself", () => {
  const read = (html: string) => MainContent.readContent(html, "https://a.example/fees")
  const sentences = [
    "Registering a house in Halvern costs $500 since May 2026, and is done at the counter.",
    "The clerk enters the deed within ten working days, and the owner is told of it by mail.",
    "A flat costs half of it, and land outside of the town is entered free of charge for all."
  ]
  const scripts = `<script src=/a.js></script><script src=/b.js></script><script>${
    "var x=1;".repeat(4_000)
  }</script>`
  const shell = (state: string) =>
    `<title>Fees</title><body><div id=root>Loading…</div>${scripts}${state}</body>`
  it.each([
    [
      "data of Next",
      `<script id=__NEXT_DATA__ type=application/json>${
        JSON.stringify({
          props: {
            page: {
              body: sentences,
              key: "a8f".repeat(60),
              url: "https://a.example/a b c d e f g h i"
            }
          }
        })
      }</script>`
    ],
    [
      "HTML in data",
      `<script type=application/json>${
        JSON.stringify({ html: `<div>${sentences.map((one) => `<p>${one}</p>`).join("")}</div>` })
      }</script>`
    ],
    [
      "a state that a script sets",
      `<script>window.__INITIAL_STATE__ = ${
        JSON.stringify({ post: { text: sentences.join("\n") } })
      };</script>`
    ],
    [
      "an article's body in JSON-LD",
      `<script type=application/ld+json>${
        JSON.stringify({ "@type": "Article", articleBody: sentences.join("\n") })
      }</script>`
    ]
  ])("is read from %s", (_, state) => {
    const { text } = Result.getOrThrow(read(shell(state)))
    assert.strictEqual(text, sentences.join("\n"))
  })

  it("is of the day that the part with its title names", () => {
    const post = (headline: string, publishedAt: string) => ({ headline, publishedAt })
    const state = JSON.stringify({
      latest: [post("Bridges to open", "2026-05-01"), post("Fees", "2026-05-02")],
      article: { ...post("Fees rise in May", "2026-03-02T06:00:00Z"), body: sentences }
    })
    const html = shell(`<script id=__NEXT_DATA__ type=application/json>${state}</script>`)
    const { published_date } = Result.getOrThrow(
      read(html.replace("<title>Fees", "<title>Fees rise in May | Halvern"))
    )
    assert.strictEqual(published_date, "2026-03-02T06:00:00.000Z")
    assert.isUndefined(Result.getOrThrow(read(html)).published_date)
  })

  it("is reported as such where it has no text, and a short page is not", () => {
    assert.deepStrictEqual(read(shell("<p>Hello.</p>")), Result.fail("js_shell"))
    assert.strictEqual(
      Result.getOrThrow(read("<body><p>Open until six.</p>")).text,
      "Open until six."
    )
    const deep = "[".repeat(100_000)
    assert.deepStrictEqual(
      read(shell(`<script type=application/json>${deep}</script>`)),
      Result.fail("js_shell")
    )
    const wide = JSON.stringify(Array.from({ length: 200_000 }, () => 1))
    assert.deepStrictEqual(
      read(shell(`<script type=application/json>${wide}</script>`)),
      Result.fail("js_shell")
    )
  })

  it("is read as it is where it has text of its own", () => {
    const state = JSON.stringify({
      other: "Another text that only the state holds, of many words."
    })
    const html = shell(`<script type=application/json>${state}</script>`)
      .replace("Loading…", `<p>${sentences.join("</p><p>")}</p>`)
    assert.strictEqual(Result.getOrThrow(read(html)).text, sentences.join("\n"))
  })
})
