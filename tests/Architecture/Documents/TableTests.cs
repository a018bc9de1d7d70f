using System.Text.RegularExpressions;
using RedisLatency.Fixtures;

namespace RedisLatency.Architecture.Documents;

public sealed partial class TableTests
{
    /// <summary>What follows an empty line is no table any more: it is shown as it is typed.</summary>
    [Fact]
    public void Tables_HaveNoEmptyLineWithinThem()
    {
        var broken = LinkTests.Pages().SelectMany(page => Gap().Matches(File.ReadAllText(page))
            .Select(gap => $"{Path.GetRelativePath(RepositoryRoot.Path, page)}: {gap.Groups["row"].Value}"));

        broken.ShouldBeEmpty();
    }

    // Another table begins with its head, below which is a line of dashes.
    [GeneratedRegex(@"^\|.*\n\n(?<row>\|.*)\n(?!\|[-: |]+\n)", RegexOptions.Multiline | RegexOptions.ExplicitCapture)]
    private static partial Regex Gap();
}
