/** Texts that would be markup, script or an address if a page took them for one. */
const run = "window.__ran=1"

const elements = [
  `<script>${run}</script>`,
  `</script><script>${run}</script>`,
  `<img src=x onerror=${run}>`,
  `<svg onload=${run}>`,
  `<svg><script>${run}</script></svg>`,
  `<iframe srcdoc="<script>parent.${run}</script>"></iframe>`,
  `<iframe src="https://outside.example/"></iframe>`,
  `<body onload=${run}>`,
  `<input autofocus onfocus=${run}>`,
  `<details open ontoggle=${run}>`,
  `<video><source onerror=${run}></video>`,
  `<math><mtext><table><mglyph><style><img src=x onerror=${run}>`,
  `<noscript><p title="</noscript><img src=x onerror=${run}>">`,
  `<link rel=stylesheet href=https://outside.example/a.css>`,
  `<style>*{background:url(https://outside.example/a)}</style>`,
  `<meta http-equiv=refresh content="0;url=https://outside.example/">`,
  `<base href=https://outside.example/>`,
  `<form action=https://outside.example/><button>x</button></form>`,
  `<object data=https://outside.example/></object>`,
  `<embed src=https://outside.example/>`,
  `<template><img src=x onerror=${run}></template>`,
  `<a href="javascript:${run}">x</a>`,
  `<marquee onstart=${run}>`,
  `<textarea></textarea><script>${run}</script>`,
  `<title></title><script>${run}</script>`,
  `<!--><script>${run}</script>-->`,
  `<![CDATA[<script>${run}</script>]]>`,
  `<xmp><script>${run}</script></xmp>`,
  `<div style="background:url(https://outside.example/)">`,
  `<p id=main data-part=list data-post=/sign-out data-try>`
]

const around = [
  (text: string) => text,
  (text: string) => `"${text}`,
  (text: string) => `'>"${text}<"`,
  (text: string) => `" onmouseover="${run}" x="${text}`
]

/** 120 in all. */
export const hostilePayloads: ReadonlyArray<string> = around.flatMap((wrap) => elements.map(wrap))
