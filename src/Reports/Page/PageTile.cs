namespace RedisLatency.Reports.Page;

/// <summary>A number of the first screen.</summary>
/// <param name="Name">What it is, in a word or two.</param>
/// <param name="Values">Its value; of servers that were measured side by side one each.</param>
public sealed record PageTile(string Name, IReadOnlyList<TileValue> Values)
{
    /// <summary>What belongs to it: what was asked for, of how many, how the values differ.</summary>
    public string Note { get; init; } = string.Empty;
}

/// <summary>A value of a tile, and how it went over time.</summary>
/// <param name="Text">With its unit.</param>
/// <param name="Of">Whose; empty where there is one.</param>
/// <param name="Spark">The path of its course in 100 by 20, without a scale; empty where that is not known.</param>
public sealed record TileValue(string Text, string Of = "", string Spark = "");
