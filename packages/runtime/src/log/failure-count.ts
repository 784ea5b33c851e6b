import { type Logger, ObjectKey, type SeenObject } from '@evenkeel/core';

/**
 * Counts the failures of a user's function, and tells of them each time that the count has doubled: one that throws does so
 * for every object of its kind.
 */
export function failuresOf(
  member: string,
  message: string,
  logger: Logger,
): (error: unknown, object: SeenObject) => void {
  let count = 0;
  return (error, object) => {
    count++;
    if ((count & (count - 1)) !== 0) return;
    logger.error(message, { member, event: `${object.kind} ${ObjectKey.of(object)}`, error, count });
  };
}
