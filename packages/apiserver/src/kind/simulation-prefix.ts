/** The prefix of annotations that say what a simulated pod does. */
export const simulationPrefix = 'pods.evenkeel.dev/';
