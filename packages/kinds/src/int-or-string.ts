/** A number, or a string that names one: a port by number or name, a count or a percentage. */
export type IntOrString = number | string;
