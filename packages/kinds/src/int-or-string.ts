/** A number, or a string with the same meaning: a port by number or name, a count or a percentage. */
export type IntOrString = number | string;
