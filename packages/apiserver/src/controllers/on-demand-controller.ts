import type { EmbeddedController } from './controller.ts';
import type { ServerResource } from './server-client.ts';

/** A controller whose modules are loaded when there is the first object of its kinds, which many a server never has. */
export function onDemand(
  name: string,
  resources: readonly ServerResource[],
  load: () => Promise<EmbeddedController>,
): EmbeddedController {
  return {
    name,
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
            // The next event asks for it again.
            isLoading = false;
          },
        );
      };
      const watches = resources.map((resource) => context.client.watch(resource, begin));
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
