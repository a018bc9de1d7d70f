namespace RedisLatency.Reports.Output;

/// <summary>Words of a command line that is printed to be pasted.</summary>
public static class ShellWord
{
    /// <summary>The word as it is typed: in quotes where a shell would read anything else.</summary>
    public static string Quoted(string word) =>
        word.Length > 0 && word.All(letter => char.IsAsciiLetterOrDigit(letter) || "-_./:=,%@+".Contains(letter))
            ? word
            : $"'{word.Replace("'", "'\\''", StringComparison.Ordinal)}'";
}
