import type { ApiObject } from '../kind/api-object.ts';
import type { EmbeddedController } from './controller.ts';
import type { ServerResource } from './server-client.ts';

interface OnDemandOptions {
  /** The name of its service account. Default: that of the controller. */
  readonly account?: string;
  /** Default: every object. */
  readonly isWanted?: (object: ApiObject) => boolean;
}

/**
 * A controller whose modules are loaded with the first object of its kinds, or the first one for which `isWanted` returns true.
 * Many servers never have one.
 */
export function onDemand(
  name: string,
  resources: readonly ServerResource[],
  load: () => Promise<EmbeddedController>,
  { account = name, isWanted = () => true }: OnDemandOptions = {},
): EmbeddedController {
  return {
    name,
    account,
    start(context) {
      let stop = (): void => undefined;
      let isLoading = false;
      let isStopped = false;
      const begin = (): void => {
        if (isLoading) return;
        isLoading = true;
        load().then(
          (controller) => {
            if (isStopped) return;
            stopWaiting();
            stop = controller.start(context);
          },
          () => {
            // The next event retries the load.
            isLoading = false;
          },
        );
      };
      const watches = resources.map((resource) =>
        context.client.watch(resource, ({ object }) => {
          if (isWanted(object)) begin();
        }),
      );
      const stopWaiting = (): void => {
        for (const stopWatch of watches) stopWatch();
      };
      return () => {
        isStopped = true;
        stopWaiting();
        stop();
      };
    },
  };
}
