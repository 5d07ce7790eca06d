/** Small pages of the kinds that are read, written for the tests: what is kept and what is not. */

const sentence = (what: string) =>
  `${what} is told in a sentence of its own, which is long enough to be taken for prose, is it not?`

export interface SamplePage {
  readonly html: string
  /** In this order. */
  readonly kept: ReadonlyArray<string>
  readonly dropped: ReadonlyArray<string>
}

const frame = (title: string, body: string, head = ""): string =>
  `<!doctype html><html lang="en"><head><title>${title} - Example</title>${head}</head><body>
<header class="site-header"><a href="/">Example</a><nav><ul><li><a href="/a">Topics</a></li>
<li><a href="/b">Archive</a></li></ul></nav></header>${body}
<footer class="site-footer"><p>Imprint and privacy policy of the example.</p></footer></body></html>`

export const article: SamplePage = {
  html: frame(
    "Tenants get more time",
    `<div class="row"><div class="col"><article><h1>Tenants get more time</h1>
<p class="byline">By A. Writer</p><figure><img src="a.jpg"><figcaption>A house. Photo: B</figcaption></figure>
<p>${sentence("The first fact")}</p><p>${sentence("The second fact")}</p>
<aside class="related"><h3>Related stories</h3><a href="/c">Landlords get less</a></aside>
<h2>What it costs</h2><p>${sentence("The price")}</p>
<blockquote><p>${sentence("A statement")}</p></blockquote>
<div class="share-buttons"><a href="#">Facebook</a><a href="#">Twitter</a></div></article></div>
<div class="col sidebar"><h3>Most read</h3><ul><li><a href="/d">A dog was seen</a></li></ul></div></div>
<section id="comments"><h3>2 comments</h3>
<div class="comment"><b>reader1</b><p>${sentence("An opinion")}</p></div>
<div class="comment"><b>reader2</b><p>${sentence("Another opinion")}</p></div></section>`
  ),
  kept: ["The first fact", "The second fact", "What it costs", "The price", "A statement"],
  dropped: ["Facebook", "Landlords", "A dog", "Topics", "Imprint", "Photo: B", "An opinion"]
}

const post = (place: number, text: string) =>
  `<div class="post ${place % 2 === 0 ? "bg1" : "bg2"}" id="p10${place}">
<dl class="postprofile"><dt>member${place}</dt><dd>Posts: ${place}</dd></dl>
<div class="postbody"><div class="content">${text}</div></div></div>`

const forum: SamplePage = {
  html: frame(
    "Notice in Japan",
    `<div id="page-body"><h2 class="topic-title">Notice in Japan</h2>
<div class="pagination"><a href="?p=2">2</a></div>
${post(1, "How much notice do I have to give in Japan? I rent a small flat there since May.")}
${post(2, "One month.")}
${post(3, `${sentence("The law on leases")} ${sentence("A contract")}`)}
${post(4, "Thank you, that was quick! I will write a letter to the owner then.")}
</div>`
  ),
  kept: [
    "How much notice do I have",
    "One month.",
    "The law on leases",
    "Thank you, that was quick"
  ],
  dropped: ["Topics", "Imprint"]
}

const answer = (place: number, text: string) =>
  `<div id="answer-${place}" class="answer js-answer"><div class="votecell">${place}</div>
<div class="answercell"><div class="s-prose js-post-body">${text}</div></div>
<div class="comments"><ul><li class="comment"><span class="comment-copy">Thanks</span></li></ul></div></div>`

const answers: SamplePage = {
  html: frame(
    "How to sort a map by value?",
    `<div id="mainbar"><h1><a href="/q/1">How to sort a map by value?</a></h1>
<div class="question" id="question"><div class="postcell"><div class="s-prose js-post-body">
<p>I have a map and would like to see its entries by value, largest first. How is that done?</p>
<pre><code>const map = new Map()\nmap.set("a", 1)</code></pre></div></div></div>
${
      answer(
        1,
        "<p>Spread it into an array and sort that.</p><pre><code>[...map].sort(byValue)</code></pre>"
      )
    }
${answer(2, `<p>${sentence("A heap")}</p>`)}</div>`
  ),
  kept: ["I have a map", "map.set(\"a\", 1)", "Spread it", "[...map].sort(byValue)", "A heap"],
  dropped: ["Topics", "Imprint"]
}

const documentation: SamplePage = {
  html: frame(
    "Client options",
    `<div class="layout"><nav class="toc"><ul><li><a href="#a">Install</a></li></ul></nav><main>
<h1>Client options</h1><p>${sentence("The client")}</p><h2 id="a">Install</h2>
<pre><code class="language-sh">npm install client\nnpm test</code></pre>
<p>Then call it:</p><pre>const a = 1\n  const b = 2</pre>
<h2>Options</h2><table><thead><tr><th>Name</th><th>Default</th><th>Meaning</th></tr></thead><tbody>
<tr><td><code>timeoutMs</code></td><td>5000</td><td>How long a call may take</td></tr>
<tr><td><code>retries</code></td><td>2</td><td>How often it is tried again</td></tr></tbody></table>
<ul><li>An item without an end</li><li>Another item</li></ul>
<dl><dt>close()</dt><dd>Ends the client.</dd></dl></main></div>`
  ),
  kept: [
    "The client",
    "Install",
    "npm install client\nnpm test",
    "const a = 1\n  const b = 2",
    "Name | Default | Meaning",
    "timeoutMs | 5000 | How long a call may take",
    "retries | 2 |",
    "An item without an end\nAnother item",
    "close()\nEnds the client."
  ],
  dropped: ["Topics", "Imprint"]
}

const japanese: SamplePage = {
  html: frame(
    "借家の解約予告",
    `<main><h1>借家の解約予告</h1><p>借主が普通借家契約を解約するときは、通常、<ruby>一<rt>いっ</rt></ruby>か月前に予告する必要があります。</p>
<h2>契約書の確認</h2><p>契約書に別の定めがあるときは、その期間に従います。<br>期間は二か月のこともあります。</p>
<p>詳しくは、お住まいの市区町村の窓口にお問い合わせください。電話でも相談を受け付けています。</p></main>`
  ),
  kept: [
    "通常、一か月前に予告",
    "契約書の確認",
    "期間に従います。\n期間は二か月",
    "お問い合わせください"
  ],
  dropped: ["Topics", "Imprint", "いっ"]
}

export const samples = { article, forum, answers, documentation, japanese }
