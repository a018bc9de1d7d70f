namespace RedisLatency.Sync.Filters;

// What a function in Lua finds: 5.4 with what scripts for 5.1 miss, and without all that ends the process or reaches
// files, processes and the environment. The library for debugging would give all of that back; a chunk that is
// compiled already is not checked by Lua and may crash it; ScriptLimit does not see into coroutines, nor into __gc.
internal static class ScriptPrelude
{
    public const string Text = """
        os = { time = os.time, date = os.date, clock = os.clock }
        io, package, debug, coroutine, require, dofile, loadfile = nil
        local load_any = load
        load = function(chunk, name, mode, ...) return load_any(chunk, name, 't', ...) end
        local set_any, type_of, raw, fail = setmetatable, type, rawget, error
        setmetatable = function(t, m)
            if type_of(m) == 'table' and raw(m, '__gc') ~= nil then fail('__gc is not available', 2) end
            return set_any(t, m)
        end
        unpack = table.unpack
        loadstring = load
        math.pow = function(a, b) return a ^ b end
        math.mod = math.fmod
        table.getn = function(t) return #t end
        string.gfind = string.gmatch
        local text = tostring
        tostring = function(v)
            if math.type(v) == 'float' and v == math.floor(v) and math.abs(v) < 2^62 then
                return string.format('%d', v)
            end
            return text(v)
        end
        """;
}
