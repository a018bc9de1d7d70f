namespace RedisLatency.Reports.Values;

/// <summary>Finds the name that a mistyped one was probably meant to be.</summary>
public static class NearestName
{
    /// <summary>The end of a message that asks for the nearest name; empty where none is near.</summary>
    public static string Question(string mistyped, IEnumerable<string> known) =>
        Of(mistyped, known) is { } nearest ? $"; did you mean {nearest}?" : string.Empty;

    /// <summary>The nearest of the known names, or null where none is near.</summary>
    public static string? Of(string mistyped, IEnumerable<string> known)
    {
        string? nearest = null;
        var least = Math.Max(1, mistyped.TrimStart('-').Length / 3) + 1;
        foreach (var name in known)
        {
            var distance = Distance(mistyped.ToUpperInvariant(), name.ToUpperInvariant());
            if (distance < least)
                (nearest, least) = (name, distance);
        }

        return nearest;
    }

    // Optimal string alignment: insertions, deletions, substitutions, and neighbours swapped.
    private static int Distance(string from, string to)
    {
        var costs = new int[from.Length + 1, to.Length + 1];
        for (var i = 0; i <= from.Length; i++)
        {
            for (var j = 0; j <= to.Length; j++)
            {
                if (i == 0 || j == 0)
                {
                    costs[i, j] = i + j;
                    continue;
                }

                var substituted = costs[i - 1, j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
                costs[i, j] = Math.Min(substituted, Math.Min(costs[i - 1, j], costs[i, j - 1]) + 1);
                if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
                    costs[i, j] = Math.Min(costs[i, j], costs[i - 2, j - 2] + 1);
            }
        }

        return costs[from.Length, to.Length];
    }
}
