using System.Text.RegularExpressions;
using RedisLatency.Fixtures;

namespace RedisLatency.Metrics.Tests.Histograms;

/// <summary>The vectors of the shared reference, which also has the encodings that are too long for a test.</summary>
internal static partial class SharedVectors
{
    internal static string? Path { get; } = RepositoryRoot.Shared("reference", "hdr-vectors.md");

    /// <summary>The reference's section, or a skipped test where there is no reference.</summary>
    internal static string Section(string title)
    {
        Assert.SkipWhen(Path is null, "There is no shared reference beside the checkout.");
        return File.ReadAllText(Path!)
            .Split("\n## ")
            .Single(section => section.StartsWith(title, StringComparison.Ordinal));
    }

    /// <summary>The plain and the compressed encoding of a vector.</summary>
    internal static (byte[] Plain, byte[] Compressed) Encodings(string name)
    {
        var lines = Encoding().Matches(Section($"{name}\n")).Select(match => match.Groups[1].Value).ToArray();
        lines.Length.ShouldBe(2);
        return (Convert.FromBase64String(lines[0]), Convert.FromBase64String(lines[1]));
    }

    [GeneratedRegex("^V2 .*: (\\S+)$", RegexOptions.Multiline)]
    private static partial Regex Encoding();
}
