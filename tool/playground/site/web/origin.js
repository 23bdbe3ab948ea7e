// Which lines of a stage come from which lines of the program: what the pointer is at in one is set off in the other.

export class Origin {
  /** of has, for each line of the stage, the line of the program, 0 for none; operations are the lines of the program with operations. */
  constructor({ of = [], operations = [] } = {}) {
    this.of = of;
    this.operations = operations;
    this.stage = new Map(); // lines of the stage by lines of the program
    of.forEach((line, i) => { if (line) this.stage.set(line, [...(this.stage.get(line) || []), i + 1]); });
  }

  /** The line at which the operation starts that a line of the program is part of; 0 if there is none. */
  start(line) {
    let low = 0, high = this.operations.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.operations[middle] <= line) low = middle + 1; else high = middle;
    }
    return this.operations[low - 1] || 0;
  }

  /** The lines of the program that belong to the operation at a line of it, of which lines are the text. */
  around(line, lines) {
    const out = [line];
    for (let next = line + 1; next <= lines.length && /^\s+\S/.test(lines[next - 1]) && this.start(next) === line && !/^\s*\/\//.test(lines[next - 1]); next++) out.push(next);
    return out;
  }

  /** Ties the editor of the program to the view of the stage, whose rows show the lines numbers. */
  tie(source, view, numbers) {
    const rowsOf = new Map();
    numbers.forEach((n, i) => { if (typeof n === 'number') rowsOf.set(n, i + 1); });
    const show = (line, asked) => {
      source.heat(line ? this.around(line, source.lines) : [], asked !== source);
      view.heat((this.stage.get(line) || []).map(l => rowsOf.get(l)).filter(Boolean), asked !== view);
    };
    source.onPoint = row => show(row && source.lines[row - 1]?.trim() && !source.lines[row - 1].trim().startsWith('//') ? this.start(row) : 0, source);
    view.onPoint = row => show(row && typeof numbers[row - 1] === 'number' ? this.of[numbers[row - 1] - 1] || 0 : 0, view);
  }
}
