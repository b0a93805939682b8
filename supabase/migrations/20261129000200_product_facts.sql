-- Facts that customers in India ask for: purity, hallmark, plating and its guarantee, nickel, certificate. The previous site
-- still works: it writes none of them.
alter table public.products drop constraint products_known_attributes;
alter table public.products add constraint products_known_attributes check (
  case
    when jsonb_typeof(attributes) = 'object' then
      attributes - array[
        'metal', 'purity', 'hallmark', 'plating', 'plating_microns', 'plating_guarantee', 'nickel_free', 'stone',
        'certificate', 'size', 'care', 'origin', 'hsn', 'weight_g', 'height_mm', 'width_mm'
      ] = '{}'::jsonb
      -- A key that ends in a unit holds a number, any other key a text.
      and not jsonb_path_exists(attributes,
        '$.keyvalue() ? (@.key like_regex "_(g|mm|microns)$" && @.value.type() <> "number")')
      and not jsonb_path_exists(attributes,
        '$.keyvalue() ? (!(@.key like_regex "_(g|mm|microns)$") && @.value.type() <> "string")')
    else false
  end
);
