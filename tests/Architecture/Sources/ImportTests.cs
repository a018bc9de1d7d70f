using System.Text.RegularExpressions;

namespace RedisLatency.Architecture.Sources;

/// <summary>The order of imports, as .editorconfig has it; that none is without use is the build's to see.</summary>
public sealed partial class ImportTests
{
    [Fact]
    public void Imports_AreSorted_SystemFirstAndAliasesLast()
    {
        var unsorted = SourceFile.All.Where(file =>
        {
            var imports = file.Lines.Select(line => Import().Match(line)).Where(match => match.Success)
                .Select(match => new Imported(match)).ToList();
            return !imports.SequenceEqual(imports.Order());
        });

        unsorted.Select(file => file.ToString()).ShouldBeEmpty();
    }

    [GeneratedRegex(@"^(?:global )?using (static )?(?:(\w+) = )?([\w.<>,: ]+);$")]
    private static partial Regex Import();

    /// <summary>Of namespaces, then of static members, then aliases.</summary>
    private sealed record Imported : IComparable<Imported>
    {
        private readonly string _order;

        public Imported(Match match)
        {
            var (isStatic, alias, name) = (match.Groups[1].Success, match.Groups[2].Value, match.Groups[3].Value);
            var kind = alias.Length > 0 ? 2 : isStatic ? 1 : 0;
            var isSystem = name == "System" || name.StartsWith("System.", StringComparison.Ordinal);
            // A name comes before those that it begins: '.' must sort before all else.
            _order = $"{kind}{(kind < 2 && isSystem ? 0 : 1)}"
                + (alias.Length > 0 ? alias : name).ToUpperInvariant().Replace('.', ' ');
        }

        public int CompareTo(Imported? other) => string.CompareOrdinal(_order, other?._order);
    }
}
