namespace RedisLatency.Replication.Tests.Truth;

/// <summary>A command of the stream, as the replica applied it.</summary>
/// <param name="AppliedUnixNs">When, by the wall clock.</param>
/// <param name="Words">The command.</param>
internal sealed record AppliedCommand(long AppliedUnixNs, IReadOnlyList<string> Words)
{
    /// <summary>Its bytes in the stream.</summary>
    public long Bytes => Prefix(Words.Count) + Words.Sum(word => Prefix(word.Length) + word.Length + 2);

    // A letter, the number, and the end of the line.
    private static long Prefix(int number) => 3 + $"{number}".Length;
}
