/** Stands in for @napi-rs/canvas: pdf.js looks for these names when it loads, and makes one matrix. */
exports.DOMMatrix = class DOMMatrix {}
exports.ImageData = class ImageData {}
exports.Path2D = class Path2D {}
