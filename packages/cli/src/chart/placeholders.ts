/**
 * Strings that represent Helm expressions while manifests are generated and written as YAML. Each is a valid DNS label, so that it can be
 * the name of a namespace or a part of a host name.
 */
export class Placeholders {
  readonly #expressions = new Map<string, string>();
  readonly #lines = new Map<string, (indent: string) => readonly string[]>();

  /** Returns the placeholder of an expression that results in a string, such as `.Release.Namespace`. */
  text(expression: string): string {
    const token = this.#next();
    this.#expressions.set(token, expression);
    return token;
  }

  /**
   * Returns a placeholder for lines, which is the only item of a line: an item of a list, or the key of a mapping with the value
   * `null`.
   *
   * @param lines returns the lines; its argument is the indentation of the placeholder.
   */
  lines(lines: (indent: string) => readonly string[]): string {
    const token = this.#next();
    this.#lines.set(token, lines);
    return token;
  }

  /** Converts YAML into a Helm template: replaces the placeholders, and escapes all other braces. */
  template(yaml: string): string {
    const lines = yaml.replaceAll('{{', '{{ "{{" }}').split('\n');
    return lines.map((line) => this.#templateOf(line)).join('\n');
  }

  #templateOf(line: string): string {
    const [, indent = '', key = '', token = ''] = wholeValue.exec(line) ?? [];
    const lines = this.#lines.get(token);
    if (lines !== undefined) return lines(indent).join('\n');
    const expression = this.#expressions.get(token);
    // YAML would read a string such as 123 as a number.
    if (expression !== undefined) return `${indent}${key}{{ ${expression} | quote }}`;
    return line.replaceAll(anyToken, (found) => {
      const inside = this.#expressions.get(found);
      return inside === undefined ? found : `{{ ${inside} }}`;
    });
  }

  #next(): string {
    return `evenkeel-chart-${this.#expressions.size + this.#lines.size}-value`;
  }
}

const anyToken = /evenkeel-chart-\d{1,4}-value/g;
/** `key: token`, `- token`, `- key: token` or `token: null`. */
const wholeValue = /^( *)((?:- )?(?:[\w./-]{1,300}: )?)(evenkeel-chart-\d{1,4}-value)(?:: null)?$/;
