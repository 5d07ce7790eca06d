/** The longest sequence of words or characters that two lists both hold in order. */

/** Its places in the one list and in the other, in order. Takes time and room of their product. */
export const commonPlaces = (
  left: ReadonlyArray<string>,
  right: ReadonlyArray<string>
): ReadonlyArray<readonly [number, number]> => {
  const width = right.length + 1
  const lengths = new Uint16Array((left.length + 1) * width)
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0
  for (let row = left.length - 1; row >= 0; row--) {
    for (let column = right.length - 1; column >= 0; column--) {
      lengths[row * width + column] = left[row] === right[column]
        ? at(row + 1, column + 1) + 1
        : Math.max(at(row + 1, column), at(row, column + 1))
    }
  }
  const places: Array<readonly [number, number]> = []
  let [row, column] = [0, 0]
  while (row < left.length && column < right.length) {
    if (left[row] === right[column]) places.push([row++, column++])
    else if (at(row + 1, column) >= at(row, column + 1)) row++
    else column++
  }
  return places
}
