#include "reports/money.hpp"

#include <algorithm>

namespace fleetsim {

Money sum(const CostLine& line) {
  Money total;
  for (const Money year : line.by_year) total += year;
  return total;
}

std::vector<MoneyPart> money_parts(const Dossier& dossier) {
  std::vector<MoneyPart> parts;
  for (const BillLine& line : dossier.bill.lines) {
    if (!line.priced || line.total() == Money{}) continue;
    const auto pool = std::find_if(dossier.pools.begin(), dossier.pools.end(),
                                   [&](const PoolInfo& p) { return p.name == line.group; });
    std::string name = pool != dossier.pools.end() ? "Nodes of " + pool->name : line.group;
    if (pool == dossier.pools.end() && !name.empty() && name[0] >= 'a' && name[0] <= 'z')
      name[0] = static_cast<char>(name[0] - 'a' + 'A');
    const auto same =
        std::find_if(parts.begin(), parts.end(), [&](const MoneyPart& p) { return p.name == name; });
    if (same != parts.end()) {
      same->amount += line.total();
    } else {
      parts.push_back({name, line.total(), false});
    }
  }
  for (std::size_t i = 1; i < dossier.cost.lines.size(); ++i) {
    const CostLine& line = dossier.cost.lines[i];
    if (sum(line) != Money{}) parts.push_back({line.item, sum(line), i >= dossier.cost.capital_lines});
  }
  return parts;
}

std::string csv_cell(std::string_view raw) {
  std::string out;
  for (const char c : raw) {
    if (c == ',') {
      out += " \xC2\xB7";
    } else if (c == '"' || static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      out += ' ';
    } else {
      out += c;
    }
  }
  // A dash alone, which stands for "nothing", computes nothing.
  if (!out.empty() && out != "-" && std::string_view("=+-@").find(out.front()) != std::string_view::npos)
    out.insert(out.begin(), '\'');
  return out;
}

}  // namespace fleetsim
