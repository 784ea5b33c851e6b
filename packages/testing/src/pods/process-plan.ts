import type { Container, Pod } from '@evenkeel/kinds';

/** The process that runs as a container. Strings may contain `$(VARIABLE)`, as in a container. */
export interface ProcessPlan {
  /**
   * The program and its first arguments. It replaces the container's `command` and the image's entry point. `node` and other
   * names are found in the `PATH` of the test.
   */
  readonly command: readonly string[];
  /** Default: the container's `args`. */
  readonly args?: readonly string[];
  /** Environment variables beside those of the container. They override it. */
  readonly env?: Readonly<Record<string, string>>;
  /** The working folder. Default: the container's `workingDir` if it is in a volume, otherwise that of the test. */
  readonly folder?: string;
}

/** Where a container runs. */
export interface ContainerPlace {
  /** The address of the pod on this machine. */
  readonly podIP: string;
  /** Returns the path on this machine of a path in a volume that the container mounts. Other paths are returned unchanged. */
  path(containerPath: string): string;
}

/** Returns the process for a container; undefined if it has none, so that the container waits with `ErrImagePull`. */
export type ProcessPlanner = (container: Container, pod: Pod, place: ContainerPlace) => ProcessPlan | undefined;

/** The processes by the name of the container, or by its image with or without tag and digest; or a function. */
export type ProcessPlans = Readonly<Record<string, ProcessPlan>> | ProcessPlanner;

export function plannerOf(plans: ProcessPlans): ProcessPlanner {
  if (typeof plans === 'function') return plans;
  return ({ name, image = '' }) => {
    const key = [name, image, withoutVersion(image)].find((candidate) => Object.hasOwn(plans, candidate));
    return key === undefined ? undefined : plans[key];
  };
}

/** `registry.example.com:5000/app:1.0@sha256:...` without the tag and the digest. */
function withoutVersion(image: string): string {
  return image.replace(/@.*$/, '').replace(/:[^/:]*$/, '');
}
