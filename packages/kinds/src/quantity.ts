/** An amount with an optional suffix, such as `500m`, `1Gi` or `2`. The server returns a string in canonical form. */
export type Quantity = string | number;
