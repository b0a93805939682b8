import { categories, categoryLabel } from '#domain/catalogue/category.ts';

/** The categories for a `SelectField`. */
export const categoryOptions = categories.map(
  (category) => [category, categoryLabel(category)] as const,
);
