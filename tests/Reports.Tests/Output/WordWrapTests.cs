using RedisLatency.Reports.Output;

namespace RedisLatency.Reports.Tests.Output;

public class WordWrapTests
{
    [Theory]
    [InlineData("", 5, new[] { "" })]
    [InlineData("one two", 7, new[] { "one two" })]
    [InlineData("one two", 6, new[] { "one", "two" })]
    [InlineData("incomprehensible it is", 5, new[] { "incomprehensible", "it is" })]
    public void Lines_OfWords_AreNoWiderThanThePage(string text, int width, string[] lines) =>
        WordWrap.Lines(text, width).ShouldBe(lines);
}
