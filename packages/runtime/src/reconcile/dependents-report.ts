/** The state of one dependent after a run. */
export interface DependentState {
  readonly name: string;
  /**
   * `ready` and `unready`: it was applied. `waiting`: it was not applied, because a dependent that it needs is not ready; an
   * existing object is unchanged. `absent`: it is not wanted and does not exist. `deleting`: it is not wanted and still exists.
   */
  readonly state: 'ready' | 'unready' | 'waiting' | 'absent' | 'deleting';
  /** If `waiting`: the needed dependents that are not ready. If `deleting`: the dependents that need it and still exist. */
  readonly waitsFor: readonly string[];
}

/** The state of a graph of dependents after a run. */
export interface DependentsReport<C extends object> {
  /** Whether all wanted dependents are ready and no others exist. */
  readonly ready: boolean;
  /** The live children by name: as applied, or, if waiting or being deleted, as they exist. */
  readonly children: Partial<C>;
  /** In the order in which they were added. */
  readonly states: readonly DependentState[];
  /** The condition's message: what the graph waits for. */
  readonly message: string;
}
