using System.Globalization;
using RedisLatency.Reports.Values;
using RedisLatency.Sync.Commands;

namespace RedisLatency.Sync.Filters;

/// <summary>
/// What is carried over, as RedisShake's section [filter] has it; empty lists allow all and block nothing.
/// </summary>
internal sealed class FilterOptions
{
    public IReadOnlyList<string> AllowKeys { get; set; } = [];
    public IReadOnlyList<string> AllowKeyPrefixes { get; set; } = [];
    public IReadOnlyList<string> AllowKeySuffixes { get; set; } = [];
    public IReadOnlyList<string> AllowKeyExpressions { get; set; } = [];
    public IReadOnlyList<string> BlockKeys { get; set; } = [];
    public IReadOnlyList<string> BlockKeyPrefixes { get; set; } = [];
    public IReadOnlyList<string> BlockKeySuffixes { get; set; } = [];
    public IReadOnlyList<string> BlockKeyExpressions { get; set; } = [];
    public IReadOnlyList<int> AllowDatabases { get; set; } = [];
    public IReadOnlyList<int> BlockDatabases { get; set; } = [];
    public IReadOnlyList<string> AllowCommands { get; set; } = [];
    public IReadOnlyList<string> BlockCommands { get; set; } = [];
    public IReadOnlyList<string> AllowGroups { get; set; } = [];
    public IReadOnlyList<string> BlockGroups { get; set; } = [];

    public bool FiltersKeys => AllowKeys.Count + AllowKeyPrefixes.Count + AllowKeySuffixes.Count
        + AllowKeyExpressions.Count + BlockKeys.Count + BlockKeyPrefixes.Count + BlockKeySuffixes.Count
        + BlockKeyExpressions.Count > 0;

    public bool FiltersCommands =>
        AllowCommands.Count + BlockCommands.Count + AllowGroups.Count + BlockGroups.Count > 0;

    /// <summary>All that is set, in an order that stays: what was copied with other filters is another copy.</summary>
    public IReadOnlyList<IReadOnlyList<string>> Parts =>
    [
        AllowKeys, AllowKeyPrefixes, AllowKeySuffixes, AllowKeyExpressions,
        BlockKeys, BlockKeyPrefixes, BlockKeySuffixes, BlockKeyExpressions,
        Texts(AllowDatabases), Texts(BlockDatabases), AllowCommands, BlockCommands, AllowGroups, BlockGroups,
    ];

    public bool IsEmpty => !FiltersKeys && !FiltersCommands && !FiltersDatabases;

    public bool FiltersDatabases => AllowDatabases.Count + BlockDatabases.Count > 0;

    private static List<string> Texts(IReadOnlyList<int> databases) =>
        [.. databases.Select(database => database.ToString(CultureInfo.InvariantCulture))];

    public static string? GroupProblem(string group)
    {
        var known = CommandTable.Groups.ToList();
        return known.Contains(group.ToUpperInvariant())
            ? null
            : $"one of {string.Join(", ", known.Order(StringComparer.Ordinal))} is needed";
    }

    public static string? ExpressionProblem(string expression)
    {
        try
        {
            _ = KeySet.Compile(expression);
            return null;
        }
        catch (ArgumentException problem)
        {
            return problem.Message;
        }
        catch (NotSupportedException)
        {
            return @"what is matched by trying, as (?=…) or \1, or repeats too often, as a{20000}, is not known here, "
                + "nor to RedisShake";
        }
    }

    /// <summary>
    /// A command that neither the table nor a typing error of one of its names explains is taken as it is.
    /// </summary>
    public static string? CommandProblem(string command)
    {
        var table = new CommandTable();
        var name = command.ToUpperInvariant();
        return table.Find(name) is null && NearestName.Of(name, table.All.Select(one => one.Name)) is { } near
            ? $"did you mean {near}?"
            : null;
    }
}
