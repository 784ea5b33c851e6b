import { type LabelRequirements, matchesLabels } from '@evenkeel/core';
import type { ApiObject } from '../kind/api-object.ts';
import type { KindDescription } from '../kind/kind-description.ts';
import { type FieldRequirement, matchesFields } from '../request/field-selector.ts';

/** Selects the objects of a kind for a list or watch. */
export class Selection {
  readonly namespace: string;
  readonly isEmpty: boolean;
  /** Whether it names one object, which upstream reads by its key. */
  readonly isOne: boolean;
  readonly #kind: KindDescription;
  readonly #labels: LabelRequirements;
  readonly #fields: readonly FieldRequirement[];

  constructor(
    kind: KindDescription,
    namespace: string,
    options: { readonly labels: LabelRequirements; readonly fields: readonly FieldRequirement[] },
  ) {
    this.#kind = kind;
    this.namespace = kind.names.namespaced ? namespace : '';
    this.#labels = options.labels;
    this.#fields = options.fields;
    const isKey = this.namespace !== '' || !kind.names.namespaced;
    this.isOne = isKey && options.fields.some(({ field, negated }) => field === 'metadata.name' && !negated);
    this.isEmpty = options.labels.length === 0 && options.fields.length === 0;
  }

  /** Whether an object in the kind's version is selected; its namespace is checked too. */
  matches(object: ApiObject): boolean {
    if (this.namespace !== '' && object.metadata.namespace !== this.namespace) return false;
    if (this.isEmpty) return true;
    if (!matchesLabels(this.#labels, object.metadata.labels)) return false;
    if (this.#fields.length === 0) return true;
    let selectable: Readonly<Record<string, string>> | undefined;
    return matchesFields(this.#fields, (field) => {
      if (field === 'metadata.name') return object.metadata.name;
      if (field === 'metadata.namespace') return object.metadata.namespace ?? '';
      selectable ??= this.#kind.strategy.selectableFields?.(object) ?? {};
      return Object.hasOwn(selectable, field) ? (selectable[field] ?? '') : '';
    });
  }
}
