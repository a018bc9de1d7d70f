namespace RedisLatency.Sync.Filters;

internal static class DatabaseMap
{
    public const string Form = "FROM:TO";

    public static string? Problem(string text) => TryParse(text, out _)
        ? null
        : $"{Form} is needed, two databases, for instance 3:0";

    public static IReadOnlyDictionary<int, int> Parse(IEnumerable<string> texts) => texts
        .Select(text => TryParse(text, out var pair) ? pair : default)
        .DistinctBy(pair => pair.From).ToDictionary(pair => pair.From, pair => pair.To);

    public static int? DoubleOf(IReadOnlyList<string> texts) => texts
        .Select(text => TryParse(text, out var pair) ? pair.From : (int?)null)
        .GroupBy(from => from).FirstOrDefault(same => same.Count() > 1)?.Key;

    private static bool TryParse(string text, out (int From, int To) pair)
    {
        pair = default;
        return text.Split(':') is [var from, var to]
            && int.TryParse(from, out pair.From) && int.TryParse(to, out pair.To) && pair is { From: >= 0, To: >= 0 };
    }
}
