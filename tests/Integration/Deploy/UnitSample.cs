using RedisLatency.Fixtures;

namespace RedisLatency.Integration.Deploy;

/// <summary>The file of an instance of the unit, <c>deploy/systemd/consumer.env</c>, as systemd reads it.</summary>
/// <param name="Command">What is typed after the program's name.</param>
/// <param name="Settings">The settings of the program, by their variables.</param>
internal sealed record UnitSample(string Command, IReadOnlyDictionary<string, string> Settings)
{
    /// <summary>The instances that have a sample.</summary>
    public static IEnumerable<string> Instances =>
        Directory.EnumerateFiles(RepositoryRoot.Combine("deploy", "systemd"), "*.env")
            .Select(file => Path.GetFileNameWithoutExtension(file));

    /// <param name="instance">Its name.</param>
    /// <param name="withProposals">Whether what stands behind a # counts.</param>
    public static UnitSample Read(string instance, bool withProposals = false) => Parse(
        File.ReadLines(RepositoryRoot.Combine("deploy", "systemd", $"{instance}.env")), withProposals);

    /// <param name="lines">Those of the file.</param>
    /// <param name="withProposals">Whether what stands behind a # counts.</param>
    public static UnitSample Parse(IEnumerable<string> lines, bool withProposals = false)
    {
        var settings = lines
            // The # of a remark is followed by a space.
            .Where(line => line.Length > 0 && !line.StartsWith("# ", StringComparison.Ordinal))
            .Where(line => withProposals || !line.StartsWith('#'))
            .Select(line => line.TrimStart('#').Split('=', 2))
            .ToDictionary(words => words[0], words => words[1]);
        settings.Remove("COMMAND", out var command);
        return new UnitSample(command.ShouldNotBeNull(), settings);
    }
}
