-- report.lua: turns the plain idioms of the report's Markdown into its HTML (pandoc 2.17 and later).
--  ![alt](x.svg) newline *caption*           -> <figure> with the SVG inside the page and <figcaption>
--  a table row with bold first and last cell -> class "total"; with a bold first cell only -> class "pick"
--  a short cell -> class "short", which never wraps; one with a very long word -> "break"
--  a table of 10 rows and more -> class "dense"; of more than 16 rows, code of more than 30 lines -> class "long", which may break over pages

local function read(path)
  local file = io.open(path, 'rb')
  if not file then error('cannot read the figure ' .. path) end
  local text = file:read('a')
  file:close()
  return text
end

function Para(el)
  local c = el.content
  if #c == 3 and c[1].t == 'Image' and c[2].t == 'SoftBreak' and c[3].t == 'Emph' and c[1].src:match('%.svg$') then
    local body = read(c[1].src):gsub('^<%?xml.-%?>%s*', ''):gsub('<!DOCTYPE.->%s*', '')
    return {
      pandoc.RawBlock('html', '<figure>\n' .. body .. '<figcaption>'),
      pandoc.Plain(c[3].content),
      pandoc.RawBlock('html', '</figcaption>\n</figure>'),
    }
  end
end

local function contents(cell) return cell and (cell.contents or cell[5]) end

local function is_bold(cell)
  local block = contents(cell) and contents(cell)[1]
  return block and block.content and block.content[1] and block.content[1].t == 'Strong'
end

local function add_class(row, class)
  if row.attr then row.attr.classes:insert(class) else row[1] = pandoc.Attr('', { class }) end
end

-- short texts stay on one line, words longer than a column may break anywhere
local function shape(cell, is_number)
  local words = pandoc.utils.stringify(contents(cell))
  if #words <= (is_number and 34 or 16) then cell.attr.classes:insert('short') end
  for word in words:gmatch('%S+') do
    if #word > 24 then cell.attr.classes:insert('break') break end
  end
end

function Table(t)
  for i, spec in ipairs(t.colspecs) do t.colspecs[i] = { spec[1], nil } end
  local rows = 0
  for _, body in ipairs(t.bodies) do
    for _, row in ipairs(body.body) do
      rows = rows + 1
      local cells = row.cells or row[2]
      for i, cell in ipairs(cells) do
        if cell.attr then shape(cell, t.colspecs[i] and t.colspecs[i][1] == 'AlignRight') end
      end
      if is_bold(cells[1]) then add_class(row, is_bold(cells[#cells]) and 'total' or 'pick') end
    end
  end
  if rows > 16 then t.attr.classes:insert('long') end
  if rows >= 10 then t.attr.classes:insert('dense') end
  return t
end

function CodeBlock(el)
  local _, lines = el.text:gsub('\n', '')
  if lines > 30 then el.classes:insert('long') end
  return el
end
