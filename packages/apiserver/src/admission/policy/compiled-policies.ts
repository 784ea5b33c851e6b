import type { Policy } from './policy-hooks.ts';

interface Compiled<T> {
  readonly uid: string | undefined;
  readonly generation: number | undefined;
  readonly value: T;
}

/** What was compiled of each policy, until its spec changes. */
export class CompiledPolicies<P extends Policy, T> {
  readonly #compile: (policy: P) => T;
  readonly #compiled = new Map<string, Compiled<T>>();

  constructor(compile: (policy: P) => T) {
    this.#compile = compile;
  }

  get(policy: P): T {
    const { name = '', uid, generation } = policy.metadata;
    const known = this.#compiled.get(name);
    if (known !== undefined && known.uid === uid && known.generation === generation) return known.value;
    const value = this.#compile(policy);
    this.#compiled.set(name, { uid, generation, value });
    return value;
  }

  /** Forgets the policies that are not among these. */
  keepOnly(policies: readonly { readonly name: string }[]): void {
    if (this.#compiled.size <= policies.length) return;
    const names = new Set(policies.map(({ name }) => name));
    for (const name of this.#compiled.keys()) if (!names.has(name)) this.#compiled.delete(name);
  }
}
