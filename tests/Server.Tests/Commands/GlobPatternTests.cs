using System.Text;
using RedisLatency.Server.Commands;

namespace RedisLatency.Server.Tests.Commands;

public class GlobPatternTests
{
    [Theory]
    [InlineData("*", "", true)]
    [InlineData("*", "anything", true)]
    [InlineData("a*b*c", "aXXbYYc", true)]
    [InlineData("a*b*c", "aXXbYY", false)]
    [InlineData("h?llo", "hello", true)]
    [InlineData("h?llo", "hllo", false)]
    [InlineData("h[ae]llo", "hallo", true)]
    [InlineData("h[^e]llo", "hello", false)]
    [InlineData("h[a-c]llo", "hbllo", true)]
    [InlineData("h[c-a]llo", "hbllo", true)]
    [InlineData("h\\*llo", "h*llo", true)]
    [InlineData("h\\*llo", "hello", false)]
    [InlineData("[\\]]", "]", true)]
    [InlineData("a", "ab", false)]
    [InlineData("", "", true)]
    [InlineData("a**b", "ab", true)]
    public void Pattern_MatchesAsInRedis(string pattern, string text, bool matches) =>
        GlobPattern.IsMatch(Encoding.UTF8.GetBytes(pattern), Encoding.UTF8.GetBytes(text)).ShouldBe(matches);

    [Fact]
    public void HostilePattern_IsNotExponential()
    {
        var pattern = string.Concat(Enumerable.Repeat("a*", 30)) + "b";
        GlobPattern.IsMatch(Encoding.UTF8.GetBytes(pattern), Encoding.UTF8.GetBytes(new string('a', 3000)))
            .ShouldBeFalse();
    }
}
