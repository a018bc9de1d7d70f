using System.Text;
using RedisLatency.Sync.Filters;
using RedisLatency.Sync.Verify;

namespace RedisLatency.Sync.Tests.Verify;

public class KeyNamesTests
{
    // Database and name at the destination, and which of the source come there.
    [Theory]
    [InlineData("0:new:a", "0:old:a", "0:new:a", "1:old:a", "1:new:a")]
    [InlineData("0:old:a")]
    [InlineData("1:new:a")]
    [InlineData("0:x", "0:x", "1:x")]
    [InlineData("2:x", "2:x")]
    [InlineData("2:new:b", "2:old:b", "2:new:b")]
    public void AtSource_NamesEveryKeyThatComesThere(string destination, params string[] sources)
    {
        var names = new KeyNames(new FilterOptions(), ["1:0"], ["old:=new:"]);

        var found = names.AtSource(Parse(destination)).ToList();

        found.Select(Text).ShouldBe(sources, ignoreOrder: true);
        found.ShouldAllBe(source => Text(names.AtDestination(source)) == destination);
    }

    private static KeyName Parse(string text) => new(text[0] - '0', Encoding.UTF8.GetBytes(text[2..]));

    private static string Text(KeyName name) => $"{name.Database}:{Encoding.UTF8.GetString(name.Key)}";
}
